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
    """As wide as it is given; `text` stays whole."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def elided_text(self) -> str:
        """What there is room for."""
        return self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width()
        )

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
"""What lets a person select the words of a label."""


def label(object_name: str = "", text: str = "", word_wrap: bool = True, selectable: bool = False) -> QLabel:
    """Words that wrap, unless they are told not to, and stand there as they are, whatever marks a file wrote into them; the
    style sheet knows them by the name `object_name`. Those that are to be `selectable` can be selected."""
    widget = QLabel(text)
    widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setObjectName(object_name)
    widget.setWordWrap(word_wrap)
    if selectable:
        widget.setTextInteractionFlags(SELECTABLE_TEXT)
    return widget


def subheading(text: str) -> QLabel:
    """Over a few fields."""
    return label("subheading", text, word_wrap=False)


def make_section_layout(sections: Mapping[str, QWidget | QLayout]) -> QVBoxLayout:
    """Fields below each other in groups, each with its subheading, and what room is left at the end."""
    items = (
        item
        for title, content in sections.items()
        for item in (subheading(title), GRID_UNIT // 2, content, 2 * GRID_UNIT)
    )
    return column(*items, None, gap=0, margins=2 * GRID_UNIT)


MAX_TOOLTIP_LINE = 80
"""Characters of a line of a tool tip."""


def tooltip_text(text: str) -> str:
    """A tool tip of words that may come from a file: what Qt would read as HTML, and load pictures for, stands there as it
    is. Qt breaks no lines of plain text, so that long ones are broken here."""
    text = "\n".join(fill(line, MAX_TOOLTIP_LINE, break_long_words=False) for line in text.split("\n"))
    return f"<p style='white-space: pre'>{escape(text)}</p>" if "<" in text else text


HELP_SCHEME = "quatviz-help"


def open_help_topic(topic: str) -> None:
    """Show the section of the help that a topic names; empty for what was read last."""
    QDesktopServices.openUrl(QUrl(f"{HELP_SCHEME}:{topic}"))


class HelpUrlHandler(QObject):
    """Answers these addresses from when it is made until `close`; the last one made answers."""

    topic_requested = Signal(str)
    """The topic that a person wants to read about."""

    def __init__(self) -> None:
        super().__init__()
        QDesktopServices.setUrlHandler(HELP_SCHEME, self, "answer")  # type: ignore[arg-type]

    @Slot(QUrl)
    def answer(self, url: QUrl) -> None:
        """Tell which topic is wanted."""
        self.topic_requested.emit(url.path() + (f"#{url.fragment()}" if url.hasFragment() else ""))

    def close(self) -> None:
        """Answer no longer."""
        QDesktopServices.unsetUrlHandler(HELP_SCHEME)


def make_learn_more_button(on_click: ClickHandler) -> QuietButton:
    """The link behind a sentence that a section of the help explains."""
    return QuietButton(tr("Learn more"), on_click, tr("What it means, and what to try"))


class MessageLabel(QFrame):
    """Hidden, and empty, until it has something to say: there is one for each field. Tab leads to the link. `look` is the
    name by which the style sheet knows the words: "refusal", or "muted" for what is no fault."""

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
        """Show these words; none hide it."""
        if text:
            text_label, more_button = self._ensure_widgets()
            self.topic = topic
            text_label.setText(text)
            more_button.setAccessibleName(tr("Learn more: {said}", said=text.partition("\n")[0]))
            more_button.setVisible(bool(topic))
        self.setVisible(bool(text))

    def add_widget(self, widget: QWidget) -> None:
        """Let a way out stand below what is said."""
        self._ensure_widgets()
        self._column_layout.addWidget(widget)

    def show_refusal(self, refusal: InputError | None, with_key: bool = False) -> None:
        """Show why something was refused, with what is `with_key`; hide it where it was not."""
        if refusal is None:
            self.show_message("")
        else:
            self.show_message(format_error(refusal, "" if with_key else refusal.key), refusal.topic)

    def show_refusal_with_place(self, refusal: InputError) -> None:
        """Show a refusal with its place."""
        self.show_message(f"{tr(refusal.place)}\n{format_error(refusal, refusal.key)}", refusal.topic)

    def text(self) -> str:
        """What it says, or has said last."""
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
