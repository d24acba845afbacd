"""Widgets shared by all parts of the window: guarded overrides of Qt methods, fields, lists, labels, fonts and painting.

They do not depend on a run.
"""

from quatviz.ui.widgets.pyside_imports import disable_source_scan

disable_source_scan()  # here, since nearly every module of the window imports this package
