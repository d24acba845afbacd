"""What was refused or went wrong, in words, and below it a link to the page of the help that explains it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from quatviz.core.errors import Refusal
from quatviz.ui.help.links import open_topic
from quatviz.ui.quiet_button import QuietButton
from quatviz.ui.tr import told, tr
from quatviz.ui.words import refusal_text


class RefusalLabel(QWidget):
    """Hidden, and empty, until it has something to say: there is one for each field. Tab leads to the link. `look` is the
    name by which the style sheet knows the words: "refusal", or "muted" for what is no fault."""

    def __init__(self, left: int = 0, below: int = 0, look: str = "refusal") -> None:
        super().__init__()
        self._look = look
        self._margins = left, 0, 0, below
        self.topic = ""
        self.words: QLabel | None = None
        self.more: QuietButton | None = None
        self.hide()

    def say(self, words: str, topic: str) -> None:
        """Show these words; none hide it."""
        if self.words is None or self.more is None:
            if not words:
                return
            self.words, self.more = self._make()
        if (words, topic) != (self.words.text(), self.topic):
            self.topic = topic
            self.words.setText(words)
            self.more.setAccessibleName(tr("Learn more: {topic}", topic=topic))
            self.more.setVisible(bool(topic))
        self.setVisible(bool(words))

    def explain(self, refusal: Refusal) -> None:
        """Show a refusal with its place."""
        self.say(f"{told(refusal.place)}\n{refusal_text(refusal, refusal.key)}", refusal.topic)

    def text(self) -> str:
        """What it says, or has said last."""
        return self.words.text() if self.words is not None else ""

    def _make(self) -> tuple[QLabel, QuietButton]:
        words, more = QLabel(), QuietButton(tr("Learn more"))
        words.setObjectName(self._look)
        words.setWordWrap(True)
        words.setTextFormat(Qt.TextFormat.PlainText)
        more.setToolTip(tr("What it means, and what to try"))
        more.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        more.clicked.connect(lambda: open_topic(self.topic))
        column = QVBoxLayout(self)
        column.setContentsMargins(*self._margins)
        column.setSpacing(0)
        column.addWidget(words)
        column.addWidget(more)
        return words, more
