"""Windows and dialogs that the main window opens, one folder each."""

from quatviz.base.registry import Registry
from quatviz.ui.tools.base import Tool

TOOLS: Registry[type[Tool]] = Registry(__name__, Tool)
