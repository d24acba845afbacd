"""Tool that shows recomputed figures and tables of the published paper from which a preset is taken."""

from typing import Any

from quatviz.ui.tools.base import Tool, ToolAction, ToolContext


class ExhibitTool(Tool):
    """Tool that shows figures and tables of a published paper, recomputed from the preset of the run."""

    name = "exhibits"
    title = "Figures and tables of the paper"
    actions = (ToolAction("exhibits", "Reproduce the paper's figures…", "analysis", (), 5),)
    reuses_window = False

    def create(self, context: ToolContext) -> Any:
        from quatviz.ui.tools.exhibits.dialog import ExhibitDialog

        preset_name = context.document.state.preset.name
        return ExhibitDialog(preset_name, lambda: context.exporter.open_dialog("documents"), context.window)
