"""The figures and tables of a paper are two clicks away from the preset of its example."""

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from window_steps import editing  # noqa: F401 (a fixture)

from quatviz.app import WindowController
from quatviz.export.documents import EXHIBITS
from quatviz.ui.tools.exhibits.dialog import ExhibitDialog


def expected_titles(preset_name: str) -> list[str]:
    return [exhibit.title for exhibit in EXHIBITS.values() if exhibit.run_settings.preset == preset_name]


def shown_titles(dialog: ExhibitDialog, qtbot: QtBot) -> list[str]:
    """Return the titles of the pictures in order, once all are drawn. No picture is empty."""
    qtbot.waitUntil(lambda: not dialog.is_busy, timeout=120_000)
    assert dialog.status.text() == ""
    page = dialog.pictures.widget()
    assert page is not None
    labels = page.findChildren(QLabel)
    assert all(label.pixmap().width() > 300 for label in labels)
    return [label.accessibleName().partition(":")[0] for label in labels]


def test_figures_of_the_preset_are_shown_first(editing: WindowController, qtbot: QtBot) -> None:
    editing.window.action_registry["exhibits"].trigger()
    (dialog,) = editing.window.findChildren(ExhibitDialog)
    assert shown_titles(dialog, qtbot) == expected_titles("torque_free")
    assert {"Figure 4", "Figure 5", "Figure 6", "Table 3"} == set(expected_titles("torque_free"))
    assert dialog.preset_box.value == "torque_free"
    for name in ("heavy_top", "spring_disk"):
        dialog.preset_box.chosen.emit(name)
        assert shown_titles(dialog, qtbot) == expected_titles(name)
        assert dialog.preset_box.value == name
    dialog.close()
