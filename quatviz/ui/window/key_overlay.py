"""An overlay that lists all keyboard shortcuts."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.teaching.help.actions import Action, Menu, iterate_actions, shortcut_text
from quatviz.ui.widgets.actions import accept_plain_key
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import row
from quatviz.ui.widgets.style import PaintedWidget, with_opacity

_MENU_COLUMNS = (
    ("Run", "Time axis", "Edit"),
    ("View", "Lanes"),
    ("File", "Experiment", "Lessons", "Help"),
)
"""Menus whose names are headings of the overlay, in three columns that are equally long on a small screen.

A submenu that is not listed belongs to its parent menu.
"""


_MIN_FONT_SIZE = 10
"""Smallest font size of the list of shortcuts [pixels]."""


def actions_by_heading(table: Sequence[Menu[Any]]) -> dict[str, list[Action[Any]]]:
    """Return the actions with shortcuts, grouped by the innermost menu that is a heading."""
    groups: dict[str, list[Action[Any]]] = {name: [] for column in _MENU_COLUMNS for name in column}
    for menus, action in iterate_actions(table):
        if action.shortcuts:
            groups[next(menu.name for menu in reversed(menus) if menu.name in groups)].append(action)
    return groups


class KeyOverlay(PaintedWidget, QWidget):
    """Overlay over the window with all shortcuts, closed by Escape or a click.

    The list is made when it is first shown, to shorten the start: its labels are a fifth of all widgets of the window, and Qt
    resolves the style sheet for each of them.
    """

    def __init__(self, window: QWidget, table: Sequence[Menu[Any]]) -> None:
        super().__init__(window)
        self._window, self._table = window, table
        self._card = QWidget(self)
        self._card.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Keyboard shortcuts"))
        self.hide()
        window.installEventFilter(self)

    def toggle(self) -> None:
        """Show or hide the overlay."""
        if self._card.layout() is None:
            self._make_list()
        self.setVisible(not self.isVisible())
        if self.isVisible():
            self._resize_to_window()
            self.raise_()
            self.setFocus()

    def follow_theme(self) -> None:
        if self.isVisible():
            # Deferred until the labels have applied the theme.
            QTimer.singleShot(0, self, self._resize_to_window)

    def _make_list(self) -> None:
        groups = actions_by_heading(self._table)
        columns = [self._make_column(headings, groups) for headings in _MENU_COLUMNS]
        self._card.setLayout(row(*columns, gap=4 * GRID_UNIT, margins=(3 * GRID_UNIT, 2 * GRID_UNIT) * 2))

    @staticmethod
    def _make_column(headings: Sequence[str], groups: Mapping[str, Sequence[Action[Any]]]) -> QGridLayout:
        grid, line = QGridLayout(), 0
        grid.setHorizontalSpacing(3 * GRID_UNIT)
        grid.setVerticalSpacing(GRID_UNIT // 4)
        for name in headings:
            title_label = label("heading", tr(name), word_wrap=False)
            title_label.setContentsMargins(0, GRID_UNIT if line else 0, 0, 0)
            grid.addWidget(title_label, line, 0, 1, 2)
            for action in groups[name]:
                line += 1
                grid.addWidget(QLabel(tr(action.text)), line, 0)
                grid.addWidget(label("muted", shortcut_text(action), word_wrap=False), line, 1)
            line += 1
        grid.setRowStretch(line, 1)
        return grid

    def _resize_to_window(self) -> None:
        """Cover the window, with the largest font in which all shortcuts fit."""
        layout = self._card.layout()
        assert layout is not None, "made when the overlay is first shown"
        self.setGeometry(self._window.rect())
        for pixels in range(self.theme.normal, _MIN_FONT_SIZE, -1):
            self._card.setStyleSheet(
                f"QLabel {{ font-size: {pixels}px; }} QLabel#heading {{ font-size: {pixels + 2}px; }}"
            )
            layout.invalidate()
            layout.activate()  # otherwise the layout uses the old font
            self._card.adjustSize()
            if self.rect().contains(self._card.rect()):
                break
        self._card.move(self.rect().center() - self._card.rect().center())

    def stay_above(self, widget: QWidget) -> None:
        """Keep the overlay above a widget of the window that raises itself."""
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self.isVisible():
            if watched is not self._window and event.type() in (QEvent.Type.ZOrderChange, QEvent.Type.Show):
                self.raise_()
            elif watched is self._window and event.type() == QEvent.Type.Resize:
                self._resize_to_window()
        return False

    def event(self, event: QEvent) -> bool:
        """Accept plain keys, so that they trigger no shortcuts while the overlay is shown."""
        return accept_plain_key(event) or bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.hide()

    def draw(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), with_opacity(self.theme.window, 0.72))
        painter.setPen(QColor(self.theme.line))
        painter.setBrush(QColor(self.theme.raised))
        painter.drawRoundedRect(QRectF(self._card.geometry()), GRID_UNIT, GRID_UNIT)
