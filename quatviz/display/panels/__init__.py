"""Plot panels: one declaration per module, without Qt. Board, figures and command line use only the `Panel` interface."""

from quatviz.base.registry import Registry
from quatviz.display.panels.base import Panel

PANELS: Registry[type[Panel]] = Registry(__name__, Panel)
