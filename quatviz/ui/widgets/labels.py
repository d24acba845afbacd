"""Labels, messages and links to the help."""

from collections.abc import Mapping
from html import escape
from textwrap import fill

from PySide6.QtCore import (
    QObject,
    Qt,
    QUrl,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QDesktopServices,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLayout,
    QSizePolicy,
    QStyle,
    QStyleOption,
    QVBoxLayout,
    QWidget,
)

from quatviz.base.errors import InputError
from quatviz.base.formatting import format_error
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.buttons import ClickHandler, QuietButton
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.layouts import column


class ElidedLabel(Guarded, QLabel):
    """A label that elides its text to the available width. `text` returns the full text."""

    def __init__(self, whole_only: bool = False) -> None:
        """Create an empty label. With `whole_only`, the label shows nothing instead of an elided text."""
        super().__init__()
        self._whole_only = whole_only
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def elided_text(self) -> str:
        """The displayed text."""
        text = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width()
        )
        return "" if self._whole_only and text != self.text() else text

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QPainter(self), QStyleOption()
        option.initFrom(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            (Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft).value,
            option.palette,
            self.isEnabled(),
            self.elided_text,
            self.foregroundRole(),
        )
        painter.end()


SELECTABLE_TEXT = Qt.TextInteractionFlag.TextSelectableByMouse
"""Interaction flag that lets the user select the text of a label."""


def label(object_name: str = "", text: str = "", word_wrap: bool = True, selectable: bool = False) -> QLabel:
    """Return a plain-text label. Markup in a text from a file is not interpreted.

    The style sheet selects the label by `object_name`. With `selectable` the user can select the text with
    the mouse.
    """
    widget = QLabel(text)
    widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setObjectName(object_name)
    widget.setWordWrap(word_wrap)
    if selectable:
        widget.setTextInteractionFlags(SELECTABLE_TEXT)
    return widget


def subheading(text: str) -> QLabel:
    """Return a heading for a group of fields."""
    return label("subheading", text, word_wrap=False)


def make_section_layout(sections: Mapping[str, QWidget | QLayout]) -> QVBoxLayout:
    """Return a vertical layout of groups, each below its subheading. Free space remains at the end."""
    items = (
        item
        for title, content in sections.items()
        for item in (subheading(title), GRID_UNIT // 2, content, 2 * GRID_UNIT)
    )
    return column(*items, None, gap=0, margins=2 * GRID_UNIT)


MAX_TOOLTIP_LINE = 80
"""Largest line length of a tooltip [characters]."""


def tooltip_text(text: str) -> str:
    """Return a plain-text tooltip with wrapped lines. Text from files is never interpreted as HTML."""
    text = "\n".join(fill(line, MAX_TOOLTIP_LINE, break_long_words=False) for line in text.split("\n"))
    return f"<p style='white-space: pre'>{escape(text)}</p>" if "<" in text else text


HELP_SCHEME = "quatviz-help"


def open_help_topic(topic: str) -> None:
    """Open a help topic; an empty topic opens the page that was read last."""
    QDesktopServices.openUrl(QUrl(f"{HELP_SCHEME}:{topic}"))


class HelpUrlHandler(QObject):
    """Handler of the help URLs that the user clicks, until `close`. If there are several handlers, the newest one
    receives the URLs."""

    topic_requested = Signal(str)
    """Emitted with the requested topic."""

    def __init__(self) -> None:
        super().__init__()
        QDesktopServices.setUrlHandler(HELP_SCHEME, self, "answer")  # type: ignore[arg-type]

    @Slot(QUrl)
    def answer(self, url: QUrl) -> None:
        """Emit `topic_requested` with the topic in a help URL."""
        self.topic_requested.emit(url.path() + (f"#{url.fragment()}" if url.hasFragment() else ""))

    def close(self) -> None:
        """Stop handling help URLs."""
        QDesktopServices.unsetUrlHandler(HELP_SCHEME)


def make_learn_more_button(on_click: ClickHandler) -> QuietButton:
    """Return the "Learn more" link that is placed after a message."""
    return QuietButton(tr("Learn more"), on_click, tr("Explain this message in the help"))


class MessageLabel(QFrame):
    """A message with a link to the help, hidden while empty.

    The style sheet selects the text by `text_object_name`: "refusal" for errors, "muted" for notes.
    """

    def __init__(
        self, margins: tuple[int, int, int, int] = (0, 0, 0, 0), text_object_name: str = "refusal"
    ) -> None:
        super().__init__()
        self._text_object_name, self._column_layout = text_object_name, column(gap=0, margins=margins)
        self.setLayout(self._column_layout)
        self.topic = ""
        self.text_label: QLabel | None = None
        self.more_button: QuietButton | None = None
        self.hide()

    def show_message(self, text: str, topic: str = "") -> None:
        """Show a message, or hide the label if the text is empty."""
        if text:
            text_label, more_button = self._ensure_widgets()
            self.topic = topic
            text_label.setText(text)
            more_button.setAccessibleName(tr("Learn more: {message}", message=text.partition("\n")[0]))
            more_button.setVisible(bool(topic))
        self.setVisible(bool(text))

    def add_widget(self, widget: QWidget) -> None:
        """Add an action button below the message."""
        self._ensure_widgets()
        self._column_layout.addWidget(widget)

    def show_refusal(self, refusal: InputError | None, with_key: bool = False) -> None:
        """Show why an input was refused, or hide the label for None.

        With `with_key` the message includes the name that the input has in a preset file.
        """
        if refusal is None:
            self.show_message("")
        else:
            self.show_message(format_error(refusal, "" if with_key else refusal.key), refusal.topic)

    def show_refusal_with_place(self, refusal: InputError) -> None:
        """Show why an input was refused, together with its position in the file."""
        self.show_message(f"{tr(refusal.place)}\n{format_error(refusal, refusal.key)}", refusal.topic)

    def text(self) -> str:
        """Return the message that is shown. If the label is hidden, return the last message."""
        return self.text_label.text() if self.text_label is not None else ""

    def _ensure_widgets(self) -> tuple[QLabel, QuietButton]:
        if self.text_label is None or self.more_button is None:
            self.text_label, self.more_button = (
                label(self._text_object_name),
                make_learn_more_button(lambda: open_help_topic(self.topic)),
            )
            self.more_button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            self._column_layout.addWidget(self.text_label)
            self._column_layout.addWidget(self.more_button)
        return self.text_label, self.more_button
