"""The row at the foot of the window: what was just said, with a link to its section of the help, and what is prepared."""

from PySide6.QtWidgets import QStatusBar

from quatviz.base.tr import tr
from quatviz.ui.kit.widgets import QuietButton, label, open_topic

_SHOWN_MS, _LINKED_MS = 10_000, 30_000
"""How long a sentence stands there, and one with a link, to which a person has to come."""


class StatusRow(QStatusBar):
    """Tab leads to the link, Enter and space follow it. A sentence without a topic has none."""

    def __init__(self) -> None:
        super().__init__()
        self.topic = ""
        self.more = QuietButton(tr("Learn more"))
        self.more.setToolTip(tr("What it means, and what to try"))
        self.more.clicked.connect(lambda: open_topic(self.topic))
        self.more.hide()
        self._notice = label("notice", wraps=False)
        self.addPermanentWidget(self.more)
        self.addPermanentWidget(self._notice)
        self.setSizeGripEnabled(False)
        self.messageChanged.connect(self._follow)

    def say(self, sentence: str, topic: str = "") -> None:
        """Show a sentence for a while, and a link where a topic explains it."""
        self.topic = topic
        self.more.setAccessibleName(tr("Learn more: {topic}", topic=topic))
        self.showMessage(sentence, _LINKED_MS if topic else _SHOWN_MS)
        self._follow(sentence)

    def show_notice(self, notice: str) -> None:
        """Show what goes on, beside what is said."""
        if notice != self._notice.text():
            self._notice.setText(notice)

    def _follow(self, sentence: str) -> None:
        """The link goes with its sentence: a tip of a menu may have taken its place."""
        self.more.setVisible(bool(self.topic and sentence))
        if not sentence:
            self.topic = ""
