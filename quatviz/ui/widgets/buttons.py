"""Text buttons, icon buttons and the base of buttons that paint themselves."""

from collections.abc import Callable

from PySide6.QtCore import (
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    SignalInstance,
)
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QPainter,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QWidget,
)

from quatviz.ui.widgets.guard import Guarded
from quatviz.ui.widgets.painting import ICON_SIZE, icon
from quatviz.ui.widgets.style import PaintedWidget, tint

CHEVRON_INSET = 14.0
"""Distance of the chevron's center from the right edge of a `ChoiceBox` [pixels]."""


def draw_chevron(widget: QWidget, inset: float) -> None:
    """Draw a chevron in place of the platform's drop-down arrow, which the style sheet removes. Call this in `paintEvent`.

    `inset` is the distance of the chevron's center from the right edge of `widget` [pixels].
    """
    with QPainter(widget) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(widget.palette().color(QPalette.ColorRole.Text), 1.5))
        x, y = widget.width() - inset, widget.height() / 2
        painter.drawPolyline([QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)])


ClickHandler = Callable[..., object] | SignalInstance
"""The handler of a click: a callable, or a signal to emit."""


_ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Button(Guarded, QPushButton):
    """A push button with a tooltip. Enter presses it if it has the focus, which Qt provides only in dialogs.

    The style sheet selects buttons by `object_name`.
    """

    def __init__(
        self, text: str, on_click: ClickHandler | None = None, tip: str = "", object_name: str = ""
    ) -> None:
        super().__init__(text)
        self.setObjectName(object_name)
        self.setToolTip(tip)
        if on_click is not None:
            self.clicked.connect(on_click)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER_KEYS:
            self.click()
        else:
            super().keyPressEvent(event)


class QuietButton(Button):
    """A button styled as a link, for secondary actions."""

    def __init__(self, text: str, on_click: ClickHandler | None = None, tip: str = "") -> None:
        super().__init__(text, on_click, tip, "quiet")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard focus where it is
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        size = super().sizeHint()
        if self.menu() is not None:  # Qt draws the text of such a button in a smaller rectangle
            option = QStyleOptionButton()
            self.initStyleOption(option)
            option.rect = QRect(QPoint(), size)
            style = self.style()
            text_rect = style.subElementRect(QStyle.SubElement.SE_PushButtonContents, option, self)
            indicator = style.pixelMetric(QStyle.PixelMetric.PM_MenuButtonIndicator, option, self)
            size.setWidth(size.width() + (size.width() - text_rect.width()) + indicator)
        return size


BUTTON_SIZE = 36


class PaintedButton(PaintedWidget, QAbstractButton):
    """A button that paints itself.

    A click does not take the keyboard focus, so that Space still plays and pauses the run. If the button gets the focus
    in another way, Enter and Space press it, and the arrow keys are left to the window.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER_KEYS:
            self.click()
        elif event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
        else:
            event.ignore()


class IconButton(PaintedButton):
    """A button with an icon. `description` is its tooltip and accessible name, and `shortcut` is shown in the tooltip.

    The variant "prominent" fills the background. The variant "quiet" has no background, and is muted until the mouse or the
    focus is on it.
    """

    def __init__(
        self,
        icon_name: str,
        description: str,
        on_click: ClickHandler | None = None,
        shortcut: str = "",
        variant: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._shortcut, self._variant, self._icon_name = shortcut, variant, ""
        self.set_icon(icon_name, description)
        if on_click is not None:
            self.clicked.connect(on_click)

    def set_icon(self, icon_name: str, description: str) -> None:
        """Change the icon and the description."""
        if (icon_name, description) == (self._icon_name, self.accessibleName()):
            return
        self._icon_name = icon_name
        self.setAccessibleName(description)
        self.setToolTip(f"{description} ({self._shortcut})" if self._shortcut else description)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.scaled_pixels(BUTTON_SIZE), self.theme.scaled_pixels(BUTTON_SIZE))

    def draw(self, painter: QPainter) -> None:
        theme = self.theme
        frame_rect = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._background_color())
        painter.drawRoundedRect(frame_rect, 6, 6)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(frame_rect.adjusted(1, 1, -1, -1), 6, 6)
        width, ratio = theme.scaled_pixels(ICON_SIZE), self.devicePixelRatioF()
        icon_rect = QRectF((self.width() - width) / 2, (self.height() - width) / 2, width, width)
        painter.drawImage(
            icon_rect, icon(self._icon_name, self._icon_color().name(), ratio * width / ICON_SIZE)
        )

    def _background_color(self) -> QColor:
        theme = self.theme
        if self._variant == "prominent":
            fraction = 0.8 if self.isDown() or self.underMouse() else 1.0
            return tint(theme.accent, theme.window, fraction)
        if self.isDown() or self.isChecked():
            return tint(theme.accent, theme.window, 0.22)
        if self._is_highlighted or self._variant != "quiet":
            return QColor(theme.raised if self._is_highlighted else theme.window)
        return QColor(Qt.GlobalColor.transparent)

    def _icon_color(self) -> QColor:
        theme = self.theme
        if not self.isEnabled():
            return tint(theme.muted, theme.window, 0.6)
        if self._variant == "prominent":
            return QColor(theme.window)
        normal_color = theme.text if self._is_highlighted or self._variant != "quiet" else theme.muted
        return QColor(theme.accent if self.isChecked() else normal_color)

    @property
    def _is_highlighted(self) -> bool:
        return self.underMouse() or (self._variant == "quiet" and self.hasFocus())
