"""What a body can look like, one file each. A mesh file is read by `core.meshes`."""

from __future__ import annotations

from quatviz.base.registry import Registry
from quatviz.shapes.base import Shape

SHAPES: Registry[Shape] = Registry(__name__, Shape)
