"""Windows and dialogs opened by the main window, one package each."""

from quatviz.base.registry import Registry
from quatviz.ui.tools.base import Tool

TOOLS: Registry[type[Tool]] = Registry(__name__, Tool)
