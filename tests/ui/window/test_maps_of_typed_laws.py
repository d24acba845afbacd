"""Parameter maps of presets with a typed law, and a tool window that fails while a document is opened."""

import pytest
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.ui.tools.maps.window import MapWindow

LAW = qv.TorqueLaw(law="e = sign(p[0])*p[1:]\nn = -2*e - 3*omega")


@pytest.fixture
def document_preset() -> qv.Preset:
    return qv.load_preset("torque_free").with_run(lanes=["newton_euler"])


def test_maps_open_with_a_law_that_contains_numbers(qtbot: QtBot, document: Document) -> None:
    assert document.propose("add", lambda state: state.with_preset(loads=(LAW,))) is None
    window = MapWindow(document)
    titles = [window.choices.across.address.itemText(k) for k in range(window.choices.across.address.count())]
    assert titles
    assert not [title for title in titles if "law" in title]
    window.shutdown()


def test_failing_tool_window_does_not_interrupt_opening(
    qtbot: QtBot, document: Document, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The document was changed, but neither the panels nor the file of the new run followed."""
    window = MapWindow(document)

    def fail(_: qv.Preset) -> None:
        raise KeyError("constants")

    monkeypatch.setattr(window.choices, "show_preset", fail)
    shown: list[State] = []
    document.changed.connect(shown.append)
    opened = State.default_for(qv.load_preset("heavy_top"))
    assert document.open("open", lambda _: opened, None, lambda current: current) is None
    assert document.state.preset.title == shown[-1].preset.title == opened.preset.title
    assert "_follow_document" in caplog.text
    window.shutdown()
