"""Qt actions, menus and keyboard shortcuts, built from the table in `teaching.help.actions`."""

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QWidget

from quatviz.base.formatting import format_shortcut
from quatviz.base.translation import tr
from quatviz.teaching.help.actions import Action, DynamicMenu, Menu, actions_by_menu
from quatviz.ui.widgets.focus import commit_typed_text
from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.labels import tooltip_text

H = TypeVar("H")


def accept_plain_key(event: QEvent) -> bool:
    """Accept a `ShortcutOverride` event for a plain key and return True.

    An overlay that covers a run calls this, so that plain keys do not trigger shortcuts that change the covered run.
    Function keys and the question mark remain shortcuts of the window.
    """
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    modifiers = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
    is_function_key = Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
    is_plain_key = not event.modifiers() & ~modifiers and not is_function_key and event.text() != "?"
    if is_plain_key:
        event.accept()
    return is_plain_key


def add_toggle(
    menu: QMenu, text: str, checked: bool, on_toggle: Callable[..., object], keeps_open: bool = False
) -> QAction:
    """Add a checkable action to a menu.

    Parameters
    ----------
    menu
        The menu.
    text
        Text of the action.
    checked
        True if it is on.
    on_toggle
        Called with the new state.
    keeps_open
        True if the menu stays open after a click, so that the user can toggle several actions in turn.
    """
    action = menu.addAction(text)
    action.setCheckable(True)
    action.setChecked(checked)
    if keeps_open:
        action.setProperty(_KEEPS_OPEN, True)
        if menu.findChild(_OpenMenuFilter) is None:
            menu.installEventFilter(_OpenMenuFilter(menu))
    # The lambda is needed because Qt cannot read the signature of a partial.
    action.triggered.connect(lambda now: on_toggle(now))
    return action


MAX_ENTRY_LENGTH = 80
"""Largest number of characters of a menu entry. A title in a file may have thousands."""


def menu_text(text: str) -> str:
    """Return the text of a menu entry for a title or name, shortened to `MAX_ENTRY_LENGTH` and without access keys.

    >>> menu_text("Tops & discs"), len(menu_text("a" * 5000))
    ('Tops && discs', 80)
    """
    if len(text) > MAX_ENTRY_LENGTH:
        text = f"{text[: MAX_ENTRY_LENGTH - 1].rstrip()}…"
    return text.replace("&", "&&")


_KEEPS_OPEN = "keepsOpen"
"""Name of the property that marks actions which leave their menu open."""
_TRIGGER_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class _OpenMenuFilter(Guarded, QObject):
    """An event filter that triggers actions marked with `keepsOpen` and keeps their menu open, which
    Qt would close."""

    def __init__(self, menu: QMenu) -> None:
        super().__init__(menu)
        self._menu = menu

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_click = isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease
        is_key = (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in _TRIGGER_KEYS
        )
        action = self._menu.activeAction() if is_click or is_key else None
        if action is None or not action.property(_KEEPS_OPEN) or not action.isEnabled():
            return False
        action.trigger()
        return True


_MIN_MENU_HEIGHT = 240
"""Smallest height of a scrolling menu [pixels]."""


def show_menu(menu: QMenu, anchor: QPoint | QWidget) -> None:
    """Show a menu at a screen position or below a button, and delete it when it closes.

    A menu that is higher than the screen is limited to the space below the anchor, where it scrolls. A lower menu that
    does not fit below the anchor is moved up until it fits, if possible not above the central widget.
    """
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    corner = anchor if isinstance(anchor, QPoint) else anchor.mapToGlobal(anchor.rect().bottomLeft())
    screen = QApplication.screenAt(corner) or menu.screen()
    window, available = QApplication.topLevelAt(corner), screen.availableGeometry()
    central_widget = window.centralWidget() if isinstance(window, QMainWindow) else None
    top = central_widget.mapToGlobal(QPoint()).y() if central_widget is not None else available.top()
    if menu.sizeHint().height() >= available.height():
        menu.setMaximumHeight(max(available.bottom() - corner.y(), _MIN_MENU_HEIGHT))
        top = corner.y()
    menu.popup(corner)
    menu.move(menu.x(), min(max(menu.y(), top), available.bottom() - menu.height()))


class Submenu(Guarded, QMenu):
    """A submenu that does not extend above its parent menu. It scrolls if it is longer than the space below."""

    def sizeHint(self) -> QSize:
        """Return a hint higher than the screen if there is too little space below the parent menu's top, because Qt
        scrolls only menus that do not fit the screen."""
        hint = super().sizeHint()
        if hint.height() > self._available_area.height():
            hint.setHeight(max(hint.height(), self.screen().size().height() + 1))
        return hint

    def showEvent(self, event: QShowEvent) -> None:
        if self.y() < self._available_area.y():
            self.setGeometry(self.x(), self._available_area.y(), self.width(), self._available_area.height())
        super().showEvent(event)

    @property
    def _available_area(self) -> QRect:
        outer, room = self.parentWidget(), self.screen().availableGeometry()
        assert outer is not None
        room.setTop(outer.y())
        return room


class ActionRegistry(QObject, Generic[H]):
    """Qt actions for a table of action definitions. Each action is created once.

    Without a host, as in a window that is only painted, the actions do nothing. `before_action` is called with the
    definition of an action before the action runs.
    """

    refreshed = Signal()
    """Emitted after the enabled and checked states were refreshed."""

    def __init__(
        self,
        table: Sequence[Menu[H]],
        host: H | None = None,
        before_action: Callable[[Action[H]], object] = lambda definition: None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.table = tuple(table)
        self.host, self._before_action = host, before_action
        self.definitions = {
            definition.name: definition for acts in actions_by_menu(table).values() for definition in acts
        }
        self._actions = {
            name: self._create_action(definition) for name, definition in self.definitions.items()
        }

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def shortcut_text(self, name: str) -> str:
        """Return the first shortcut of an action as displayed text, or an empty string."""
        return (
            format_shortcut(self.definitions[name].shortcuts[0]) if self.definitions[name].shortcuts else ""
        )

    def menu_text(self, name: str) -> str:
        """Return the current menu text of an action without its shortcut."""
        return self._actions[name].text().partition("\t")[0]

    def tooltip(self, name: str, text: str) -> str:
        """Return `text` as a tooltip with the shortcut of an action in parentheses. The text is escaped, because it may come
        from a file."""
        shortcut = self.shortcut_text(name)
        return tooltip_text(f"{text} ({shortcut})" if shortcut else text)

    def caption(self, name: str, text: str) -> str:
        """Return a menu text with the shortcut of an action, if any, right-aligned."""
        shortcut = self.shortcut_text(name)
        return f"{text}\t{shortcut}" if shortcut else text

    def add_to_menu(self, menu: QMenu, *names: str) -> None:
        """Add the actions with these names to a menu."""
        self.refresh()
        menu.addActions([self._actions[name] for name in names])

    def add_for_item(self, menu: QMenu, name: str, item: str) -> None:
        """Add to a context menu an action that applies to the lane or panel `item`."""
        definition = self.definitions[name]
        assert definition.item_callback is not None, f"{name} does not apply to a single item"
        menu.addAction(self.caption(name, tr(definition.text)), lambda: self._perform(definition, item))

    def build_menu(self, menu: Menu[H], parent: QWidget) -> QMenu:
        """Return a menu built from the table, including its submenus."""
        qmenu = (Submenu if isinstance(parent, QMenu) else QMenu)(tr(menu.title), parent)
        qmenu.aboutToShow.connect(self.refresh)
        for row in menu.rows:
            if row is None:
                qmenu.addSeparator()
            elif isinstance(row, Action):
                qmenu.addAction(self._actions[row.name])
            elif isinstance(row, Menu):
                qmenu.addMenu(self.build_menu(row, qmenu))
            elif isinstance(row, DynamicMenu):
                qmenu.addMenu(self._build_dynamic_menu(row, qmenu))
        return qmenu

    def refresh(self) -> None:
        """Update the checked state, enabled state and text of all actions."""
        if self.host is None:
            return
        for name, definition in self.definitions.items():
            action = self._actions[name]
            if definition.is_checked is not None:
                action.setChecked(bool(definition.is_checked(self.host)))
            if definition.is_enabled is not None:
                action.setEnabled(bool(definition.is_enabled(self.host)))
            if definition.dynamic_text is not None:
                action.setText(self.caption(name, menu_text(definition.dynamic_text(self.host))))
        self.refreshed.emit()

    def detach_host(self) -> None:
        """Disconnect the actions from the window, which is closing. They do nothing afterwards."""
        self.host = None

    def _create_action(self, definition: Action[H]) -> QAction:
        action = QAction(
            self.caption(definition.name, tr(definition.text)), self
        )  # Qt formats shortcuts differently
        action.setObjectName(definition.name)
        action.setCheckable(definition.is_checked is not None)
        if not definition.has_shared_shortcuts:
            action.setShortcuts(
                [QKeySequence(keys) for keys in definition.shortcuts] + self._platform_shortcuts(definition)
            )
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.triggered.connect(lambda _=False: self._perform(definition))
        return action

    def _platform_shortcuts(self, definition: Action[H]) -> list[QKeySequence]:
        """Return the platform's standard shortcuts for an action, except those that the table assigns to other actions."""
        if not definition.standard_key:
            return []
        taken = {
            QKeySequence(keys).toString() for other in self.definitions.values() for keys in other.shortcuts
        }
        bound = QKeySequence.keyBindings(QKeySequence.StandardKey[definition.standard_key])
        return [keys for keys in bound if keys.toString() not in taken]

    def _perform(self, definition: Action[H], item: str = "") -> None:
        if self.host is None or (definition.is_enabled is not None and not definition.is_enabled(self.host)):
            return
        if not definition.has_shared_shortcuts:  # Escape discards what is typed
            commit_typed_text()
        self._before_action(definition)
        if item and definition.item_callback is not None:
            definition.item_callback(self.host, item)
        else:
            definition.callback(self.host)
        self.refresh()

    def _build_dynamic_menu(self, fill: DynamicMenu[H], parent: QMenu) -> QMenu:
        menu = Submenu(tr(fill.title), parent)

        def clear() -> None:
            if menu.isVisible():
                return
            menu.clear()
            for submenu in menu.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly):
                submenu.deleteLater()  # QMenu.clear removes the action of a submenu, not the submenu

        def refill() -> None:
            clear()
            if self.host is not None:
                fill.populate(self.host, menu)

        menu.aboutToShow.connect(refill)
        # Deferred until the chosen action has run.
        menu.aboutToHide.connect(lambda: QTimer.singleShot(0, menu, clear))
        return menu
