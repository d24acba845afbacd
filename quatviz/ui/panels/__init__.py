"""Plot panels, one file each."""

from quatviz.core.registry import Registry
from quatviz.ui.panels.base import Panel

PANELS: Registry[Panel] = Registry(__name__, Panel)
