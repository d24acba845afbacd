"""Plot panels, one declaration a file, without Qt: what `Panel` says is all that board, figures and command line know of them."""

from quatviz.base.registry import Registry
from quatviz.display.panels.base import Panel

PANELS: Registry[type[Panel]] = Registry(__name__, Panel)
