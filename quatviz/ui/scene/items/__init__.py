"""Things in the 3D view, one file each."""

from quatviz.core.registry import Registry
from quatviz.ui.scene.base import SceneItem

ITEMS: Registry[SceneItem] = Registry(__name__, SceneItem)
