"""Links to the help from anywhere in the window: they open an address that the application answers itself."""

from __future__ import annotations

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

SCHEME = "quatviz-help"


def open_topic(topic: str) -> None:
    """Show the section of the help that a topic names; empty for what was read last."""
    QDesktopServices.openUrl(QUrl(f"{SCHEME}:{topic}"))


class HelpLinks(QObject):
    """Answers these addresses from when it is made until `close`; the last one made answers."""

    wanted = Signal(str)
    """The topic that a person wants to read about."""

    def __init__(self) -> None:
        super().__init__()
        QDesktopServices.setUrlHandler(SCHEME, self, "answer")  # type: ignore[arg-type]

    @Slot(QUrl)
    def answer(self, url: QUrl) -> None:
        """Tell which topic is wanted."""
        self.wanted.emit(url.path() + (f"#{url.fragment()}" if url.hasFragment() else ""))

    def close(self) -> None:
        """Answer no longer."""
        QDesktopServices.unsetUrlHandler(SCHEME)
