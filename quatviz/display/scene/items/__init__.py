"""Items of the 3D view, one module each."""

from quatviz.base.registry import Registry
from quatviz.display.scene.base import SceneItem

ITEMS: Registry[type[SceneItem]] = Registry(__name__, SceneItem)
