"""An error appears below its field, moves later widgets smoothly, and Tab reaches it."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from quatviz.base.errors import InputError
from quatviz.ui.tools.fit.choices import FitChoices
from quatviz.ui.tools.maps.choices import MapChoices
from quatviz.ui.tools.study.choices import StudyChoices
from quatviz.ui.widgets import inline_message
from quatviz.ui.widgets.entries import LineEntry, ParsedEntry
from quatviz.ui.widgets.inline_message import InlineMessage, with_message
from quatviz.ui.widgets.layouts import column
from quatviz.ui.widgets.scrolling import make_scroll_area

LONG = "Expected a number of seconds above 0, which is not what was found here.\nTry: 0.5."


class Form:
    """A field with a message, and a button below it."""

    def __init__(self, qtbot: QtBot) -> None:
        self.field, self.button = LineEntry("Mass"), QPushButton("Run")
        self.message = InlineMessage(self.field)
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.setLayout(column(with_message(self.field, self.message), self.button, None))
        self.window.resize(240, 400)
        self.window.show()
        qtbot.waitExposed(self.window)

    @property
    def gap(self) -> int:
        """Distance between the field and the button [pixels]."""
        top = self.field.mapTo(self.window, QPoint(0, self.field.height())).y()
        return self.button.y() - top


@pytest.fixture
def form(qtbot: QtBot) -> Form:
    return Form(qtbot)


def gaps_until(form: Form, qtbot: QtBot, gap: int) -> list[int]:
    """Return the distances to the button until it is `gap`."""
    gaps: list[int] = []

    def is_reached() -> bool:
        gaps.append(form.gap)
        return gaps[-1] == gap

    qtbot.waitUntil(is_reached)
    return gaps


def test_space_opens_and_closes_smoothly(form: Form, qtbot: QtBot) -> None:
    empty = form.gap
    form.message.show_message(LONG, "errors#presets")
    assert form.message.isVisible()
    qtbot.waitUntil(lambda: form.message.space.height() >= form.message.heightForWidth(form.message.width()))
    opened = form.gap
    assert opened > empty + 3 * form.field.fontMetrics().height()
    label = form.message.text_label
    assert label is not None
    assert label.height() >= label.heightForWidth(label.width())
    form.message.show_message("")
    assert not form.message.isVisible(), "the text disappears at once"
    seen = gaps_until(form, qtbot, empty)
    assert any(empty < gap < opened for gap in seen), "the space closes in steps"


def test_empty_message_takes_no_space(form: Form) -> None:
    assert form.message.space.height() == 0


def test_message_waits_while_a_button_may_be_clicked(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A click moves the focus, a field refuses its text, and the clicked button must not move before it is released."""
    pressed, other = Form(qtbot), Form(qtbot)
    gap = pressed.gap
    with monkeypatch.context() as during_click:
        during_click.setattr(inline_message, "CLICK_MS", 10_000_000)
        during_click.setattr(QGuiApplication, "mouseButtons", lambda: Qt.MouseButton.LeftButton)
        pressed.message.show_message(LONG)
        QApplication.processEvents()
    other.message.show_message(LONG)
    qtbot.waitUntil(
        lambda: other.message.space.height() == other.message.heightForWidth(other.message.width())
    )
    assert pressed.message.isVisible()
    assert pressed.gap == gap


def test_message_is_scrolled_into_view(qtbot: QtBot) -> None:
    field = LineEntry("Mass")
    message = InlineMessage(field)
    filler = QLabel()
    filler.setFixedHeight(400)
    area = make_scroll_area(column(filler, with_message(field, message), gap=0))
    qtbot.addWidget(area)
    area.resize(240, 200)
    area.show()
    qtbot.waitExposed(area)
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    message.show_message(LONG)
    qtbot.waitUntil(
        lambda: (
            message.space.height() >= message.heightForWidth(message.width())
            and message.space.visibleRegion().boundingRect().height() == message.space.height()
        )
    )


def test_tab_skips_popup_list_of_combo_box(qtbot: QtBot, qtlog: pytest.LogCaptureFixture) -> None:
    window, field, choice, after = QWidget(), QWidget(), QComboBox(), LineEntry("Next")
    qtbot.addWidget(window)
    QVBoxLayout(field).addWidget(choice)
    message = InlineMessage(field)
    window.setLayout(column(with_message(field, message), after))
    choice.addItems(["one", "two"])
    window.resize(400, 300)
    window.show()
    qtbot.waitExposed(window)
    choice.showPopup()
    choice.hidePopup()
    message.show_message("This cannot be", "errors#presets")
    assert [record.message for record in qtlog.records] == []
    following = choice.nextInFocusChain()
    assert following is not None
    assert message.isAncestorOf(following)


def test_error_states_expectation_and_remedy(form: Form) -> None:
    form.message.show_refusal(InputError("mass", expected="a number", found="'x'", remedy="write 2.5"))
    assert form.message.text().splitlines() == [
        "Expected a number.",
        "Found 'x'.",
        "Try: write 2.5.",
    ]


@pytest.mark.parametrize("choices", [FitChoices, MapChoices, StudyChoices])
def test_parsed_entries_of_tools_have_their_message_in_the_layout(
    choices: type[FitChoices | MapChoices | StudyChoices], qtbot: QtBot
) -> None:
    """A message that is missing in the layout would be a window of its own, or invisible."""
    widget = choices()
    qtbot.addWidget(widget)
    entries = widget.findChildren(ParsedEntry)
    assert entries
    for entry in entries:
        assert widget.isAncestorOf(entry.message), entry.accessibleName()
        assert entry.accessibleName()
