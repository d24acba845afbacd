"""Acts as Qt has them: actions, menus and their keys, made from a table of `help.acts`."""

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QWidget

from quatviz.base.formatting import keys_text
from quatviz.base.translation import tr
from quatviz.teaching.help.actions import Act, Fill, Menu, groups_of
from quatviz.ui.widgets.controls import tip
from quatviz.ui.widgets.guard import Guarded

H = TypeVar("H")


def keeps_plain(event: QEvent) -> bool:
    """Whether this is the question for a plain key, which is taken then: whoever covers a run lets no key do something to it that
    nobody sees. F1 and its like, and the question mark, stay the window's."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    modifiers = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
    named = Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
    kept = not event.modifiers() & ~modifiers and not named and event.text() != "?"
    if kept:
        event.accept()
    return kept


def add_toggle(menu: QMenu, text: str, on: bool, do: Callable[..., object]) -> QAction:
    """Let a menu offer something that is on or off; `do` is told which it is to be."""
    action = menu.addAction(text)
    action.setCheckable(True)
    action.setChecked(on)
    action.triggered.connect(lambda now: do(now))  # Qt does not see what a partial takes
    return action


_LOW = 240
"""Height of a menu that scrolls, at least [pixels]."""


def pop_up(menu: QMenu, at: QPoint | QWidget) -> None:
    """Show a menu at a point of the screen, or below a button, where it scrolls if it is longer than the screen; it goes when it
    closes. Shorter ones Qt does not let scroll: those stand where all of them has room, below the menu bar if it can be."""
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    corner = at if isinstance(at, QPoint) else at.mapToGlobal(at.rect().bottomLeft())
    screen = QApplication.screenAt(corner) or menu.screen()
    window, room = QApplication.topLevelAt(corner), screen.availableGeometry()
    middle = window.centralWidget() if isinstance(window, QMainWindow) else None
    top = middle.mapToGlobal(QPoint()).y() if middle is not None else room.top()
    if menu.sizeHint().height() >= room.height():
        menu.setMaximumHeight(max(room.bottom() - corner.y(), _LOW))
        top = corner.y()
    menu.popup(corner)
    menu.move(menu.x(), min(max(menu.y(), top), room.bottom() - menu.height()))


class Submenu(Guarded, QMenu):
    """Begins no higher than the menu that it is in, below the menu bar, and scrolls where it is longer than the room there."""

    def sizeHint(self) -> QSize:
        """Qt lets nothing scroll for which the screen has room: what has too little must look longer than that."""
        hint = super().sizeHint()
        if hint.height() > self._room.height():
            hint.setHeight(max(hint.height(), self.screen().size().height() + 1))
        return hint

    def showEvent(self, event: QShowEvent) -> None:
        if self.y() < self._room.y():
            self.setGeometry(self.x(), self._room.y(), self.width(), self._room.height())
        super().showEvent(event)

    @property
    def _room(self) -> QRect:
        outer, room = self.parentWidget(), self.screen().availableGeometry()
        assert outer is not None
        room.setTop(outer.y())
        return room


class Acts(QObject, Generic[H]):
    """The acts of a table as Qt's actions, each made once. Without a host nothing is done: so for a window that is only
    painted. `before` is told of each act before it is done."""

    renewed = Signal()
    """What can be done, or is on, may have changed."""
    done = Signal()
    """An act was done."""

    def __init__(
        self,
        table: Sequence[Menu[H]],
        host: H | None = None,
        before: Callable[[Act[H]], object] = lambda act: None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.table = tuple(table)
        self.host, self._before = host, before
        self.all = {act.name: act for acts in groups_of(table).values() for act in acts}
        self._actions = {name: self._make(act) for name, act in self.all.items()}

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def keys(self, name: str) -> str:
        """The first key of an act, as a person reads it; empty where it has none."""
        return keys_text(self.all[name].keys[0]) if self.all[name].keys else ""

    def words(self, name: str) -> str:
        """What menus say of an act now, without its key."""
        return self._actions[name].text().partition("\t")[0]

    def tip(self, name: str, words: str) -> str:
        """A tool tip with the key in brackets; the words may come from a file."""
        keys = self.keys(name)
        return tip(f"{words} ({keys})" if keys else words)

    def caption(self, name: str, words: str) -> str:
        """Other words for a menu, with the key of an act, if it has one, at the right."""
        keys = self.keys(name)
        return f"{words}\t{keys}" if keys else words

    def add(self, menu: QMenu, *names: str) -> None:
        """Let a menu offer these acts."""
        self.renew()
        menu.addActions([self._actions[name] for name in names])

    def add_of(self, menu: QMenu, name: str, thing: str) -> None:
        """Let a menu about one thing offer to do this to it."""
        act = self.all[name]
        assert act.of is not None, f"{name} is not done to one thing of several"
        menu.addAction(self.caption(name, tr(act.text)), lambda: self._do(act, thing))

    def menu(self, menu: Menu[H], parent: QWidget) -> QMenu:
        """A menu of the table, with the menus in it."""
        made = (Submenu if isinstance(parent, QMenu) else QMenu)(tr(menu.title), parent)
        made.aboutToShow.connect(self.renew)
        for row in menu.rows:
            if row is None:
                made.addSeparator()
            elif isinstance(row, Act):
                made.addAction(self._actions[row.name])
            elif isinstance(row, Menu):
                made.addMenu(self.menu(row, made))
            else:
                made.addMenu(self._filled(row, made))
        return made

    def renew(self) -> None:
        """Show what is on and what can be done now."""
        if self.host is None:
            return
        for name, act in self.all.items():
            action = self._actions[name]
            if act.checked is not None:
                action.setChecked(bool(act.checked(self.host)))
            if act.enabled is not None:
                action.setEnabled(bool(act.enabled(self.host)))
            if act.said is not None:
                action.setText(self.caption(name, str(act.said(self.host))))
        self.renewed.emit()

    def end(self) -> None:
        """The window closes: nothing is done any more."""
        self.host = None

    def _make(self, act: Act[H]) -> QAction:
        action = QAction(self.caption(act.name, tr(act.text)), self)  # or Qt would write keys in another way
        action.setObjectName(act.name)
        action.setCheckable(act.checked is not None)
        if not act.elsewhere:
            action.setShortcuts([QKeySequence(keys) for keys in act.keys] + self._platform_keys(act))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.triggered.connect(lambda _=False: self._do(act))
        return action

    def _platform_keys(self, act: Act[H]) -> list[QKeySequence]:
        """Keys that this platform has for it and that the table does not give to anything."""
        if not act.standard:
            return []
        taken = {QKeySequence(keys).toString() for other in self.all.values() for keys in other.keys}
        bound = QKeySequence.keyBindings(QKeySequence.StandardKey[act.standard])
        return [keys for keys in bound if keys.toString() not in taken]

    def _do(self, act: Act[H], thing: str = "") -> None:
        if self.host is None or (act.enabled is not None and not act.enabled(self.host)):
            return
        self._before(act)
        if thing and act.of is not None:
            act.of(self.host, thing)
        else:
            act.do(self.host)
        self.done.emit()
        self.renew()

    def _filled(self, fill: Fill[H], parent: QMenu) -> QMenu:
        menu = Submenu(tr(fill.title), parent)

        def empty() -> None:
            if menu.isVisible():
                return
            menu.clear()
            for inner in menu.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly):
                inner.deleteLater()  # Qt forgets the action of a menu within a menu, and keeps the menu

        def renew() -> None:
            empty()
            if self.host is not None:
                fill.fill(self.host, menu)

        menu.aboutToShow.connect(renew)
        menu.aboutToHide.connect(lambda: QTimer.singleShot(0, menu, empty))  # after what was chosen is done
        return menu
