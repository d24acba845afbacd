"""Parts of the verification, one module each: a part computes checks of one subject."""

from quatviz.base.registry import Registry
from quatviz.verification.parts.base import VerificationPart

PARTS: Registry[type[VerificationPart]] = Registry(__name__, VerificationPart)
