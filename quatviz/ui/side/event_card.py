"""A card over the timeline that asks for the numbers of an event before it happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from quatviz.base.errors import InputError
from quatviz.base.parameters import declared
from quatviz.base.tr import tr
from quatviz.events.base import Event, Offer
from quatviz.look.theme import UNIT
from quatviz.ui.kit.form import Form
from quatviz.ui.kit.guard import Guarded
from quatviz.ui.kit.widgets import column, label, row

_WIDTH = 336


class EventCard(Guarded, QFrame):
    """Enter does it, Escape leaves it. What is refused stays, with the reason under it."""

    closed = Signal()
    edited = Signal(object)
    """The numbers that stand in the card now, as a table; None when it goes away."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("popup")
        self.setAccessibleName(tr("Event"))
        self.setFixedWidth(_WIDTH)
        self._heading, self._when = label("heading", wraps=False), label("muted")
        self.form: Form | None = None
        self._place = QPoint()
        self._do: Callable[[dict[str, Any]], InputError | None] = lambda table: None
        self.do, self.leave = QPushButton(tr("Apply")), QPushButton(tr("Cancel"))
        self.do.clicked.connect(self._submit)
        self.leave.clicked.connect(self.dismiss)
        self._room = column(margins=(0, UNIT, 0, UNIT))
        parts = self._heading, self._when, self._room, row(None, self.leave, self.do)
        self.setLayout(column(*parts, margins=2 * UNIT))
        self.hide()
        window.installEventFilter(self)

    def ask(
        self,
        kind: type[Event],
        offer: Offer,
        at: float,
        place: QPoint,
        do: Callable[[dict[str, Any]], InputError | None],
    ) -> None:
        """Ask for the fields of `offer`, with `place` in the window below the card's middle; `do` says what is refused."""
        self._do = do
        self._heading.setText(tr(offer.text))
        self._when.setText(tr("At t = {at:g} s, in every lane. It can be undone.", at=at))
        parameters = {name: declared(kind)[name] for name in offer.values}
        if self.form is not None:
            self._room.removeWidget(self.form)
            self.form.hide()
            self.form.deleteLater()
        self.form = Form(parameters, "events", self._keep)
        self.form.show_table(offer.values)
        self._room.addWidget(self.form)
        for block in self.form.blocks.values():
            for entry in block.field.entries:
                entry.returnPressed.connect(self._submit)
                entry.installEventFilter(self)
        self._place = place
        self.show()
        self.edited.emit(dict(offer.values))
        self._stand()
        self.raise_()
        first = next(iter(self.form.blocks.values())).field.entries
        for entry in first[:1]:
            entry.setFocus()
            entry.selectAll()

    def dismiss(self) -> None:
        """Go away and leave the motion as it is."""
        if self.isVisible():
            self.hide()
            self.window().setFocus()  # keys play and pause again
            self.closed.emit()
            self.edited.emit(None)

    def put(self, name: str, value: Any) -> None:
        """Show another value, which a hand has found."""
        if self.form is not None and name in self.form.blocks:
            self.form.show_table({**(self.form.read() or {}), name: value})

    def _keep(self, table: dict[str, Any], edited: str) -> None:
        """A number was typed: nothing happens before the button, or Enter."""
        if self.form is not None:
            self.form.show_table(table)
            self.edited.emit(table)

    def _submit(self) -> None:
        assert self.form is not None
        table = self.form.read()
        if table is None:
            return
        refusal = self._do(table)
        if refusal is None:
            self.dismiss()
        else:
            self.form.show_refusal(refusal)

    def _stand(self) -> None:
        """Above its place, within the window, as high as its words need."""
        self.adjustSize()
        inside = self.layout()
        if inside is not None and inside.hasHeightForWidth():  # words that wrap need more than they say
            inside.activate()
            self.resize(_WIDTH, max(self.height(), inside.totalHeightForWidth(_WIDTH)))
        x = self._place.x() - self.width() // 2
        room = self._window.width() - self.width() - UNIT
        self.move(min(max(x, UNIT), room), max(self._place.y() - self.height() - UNIT, UNIT))

    def event(self, event: QEvent) -> bool:
        done = bool(super().event(event))
        if event.type() == QEvent.Type.LayoutRequest:  # words came or went
            self._stand()
        return done

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        escaped = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escaped and event.type() == QEvent.Type.KeyPress and watched is not self._window:
            self.dismiss()
            return True
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self.dismiss()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)
