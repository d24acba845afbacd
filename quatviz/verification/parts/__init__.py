"""What is verified, one file for each kind."""

from quatviz.base.registry import Registry
from quatviz.verification.parts.base import Part

PARTS: Registry[type[Part]] = Registry(__name__, Part)
