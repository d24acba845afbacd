"""Parts of the verification, one file each."""

from quatviz.base.registry import Registry
from quatviz.verification.parts.base import VerificationPart

PARTS: Registry[type[VerificationPart]] = Registry(__name__, VerificationPart)
