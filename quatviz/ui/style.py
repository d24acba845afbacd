"""The look of every widget, from one `Theme`: palette, typeface, and a short style sheet."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from quatviz.ui.fonts import tabular
from quatviz.ui.plotting.style import mixed
from quatviz.ui.theme import Theme

_SHEET = """
QToolTip {{ background: {raised}; color: {text}; border: 1px solid {line}; padding: 4px 8px; }}
QStatusBar {{ background: {window}; color: {muted}; border-top: 1px solid {line}; }}
QStatusBar::item {{ border: none; }}
QSplitter::handle {{ background: {line}; }}
QMenuBar {{ background: {window}; padding: 0 8px; border-bottom: 1px solid {line}; }}
QMenuBar::item {{ background: transparent; padding: 6px 8px; border-radius: 4px; color: {muted}; }}
QMenuBar::item:selected {{ background: {chosen}; color: {text}; }}
QLabel#muted {{ color: {muted}; font-size: {small}px; }}
QLabel#subheading {{ font-weight: 600; }}
QLabel#refusal {{ color: {danger}; font-size: {small}px; }}
QLineEdit {{ background: {surface}; border: 1px solid {line}; border-radius: 4px; padding: 0 4px;
    min-height: 26px; selection-background-color: {accent}; selection-color: {window}; }}
QLineEdit:hover {{ border-color: {muted}; }}
QLineEdit:focus {{ border-color: {accent}; }}
QLineEdit[refused="true"] {{ border-color: {danger}; }}
QPushButton {{ background: {raised}; border: 1px solid {line}; border-radius: 6px; padding: 0 12px;
    min-height: 32px; }}
QPushButton:hover {{ border-color: {muted}; }}
QPushButton:focus {{ border-color: {accent}; }}
QPushButton#quiet {{ background: transparent; border: none; padding: 0; color: {accent}; text-align: left; }}
QPushButton#quiet:hover, QPushButton#quiet:focus {{ text-decoration: underline; }}
QPushButton#quiet:disabled {{ color: {muted}; text-decoration: none; }}
QPushButton::menu-indicator {{ image: none; width: 0; }}
QCheckBox {{ min-height: 32px; spacing: 8px; }}
QCheckBox::indicator {{ width: 14px; height: 14px; border: 1px solid {muted}; border-radius: 4px; }}
QCheckBox::indicator:checked {{ background: {accent}; border-color: {accent}; }}
QCheckBox:focus {{ color: {accent}; }}
QFrame#popup {{ background: {raised}; border: 1px solid {line}; }}
QListWidget {{ background: transparent; border: none; outline: none; }}
QLabel#heading {{ font-size: {title}px; font-weight: 600; }}
QLabel#notice {{ color: {muted}; padding: 0 8px; }}
QMenu {{ background: {raised}; border: 1px solid {line}; padding: 4px; }}
QMenu::item {{ padding: 7px 24px 7px 12px; border-radius: 4px; }}
QMenu::item:selected {{ background: {chosen}; color: {text}; }}
QComboBox {{ background: {raised}; border: 1px solid {line}; border-radius: 6px;
    padding: 0 8px; min-height: 30px; }}
QComboBox:hover {{ border-color: {muted}; }}
QComboBox:focus {{ border-color: {accent}; }}
QComboBox::drop-down {{ border: none; width: 16px; }}
QComboBox::down-arrow {{ image: none; width: 0; }}
QComboBox QAbstractItemView {{ background: {raised}; border: 1px solid {line}; padding: 4px; outline: none;
    selection-background-color: {chosen}; selection-color: {text}; }}
QScrollBar:vertical {{ background: transparent; width: 8px; }}
QScrollBar:horizontal {{ background: transparent; height: 8px; }}
QScrollBar::handle {{ background: {line}; border-radius: 4px; min-height: 32px; min-width: 32px; }}
QScrollBar::handle:hover {{ background: {muted}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def palette(theme: Theme) -> QPalette:
    """Roles that Qt's own widgets paint with."""
    made = QPalette()
    role = QPalette.ColorRole
    for where, colour in {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.surface,
        role.AlternateBase: theme.raised,
        role.Text: theme.text,
        role.Button: theme.raised,
        role.ButtonText: theme.text,
        role.BrightText: theme.danger,
        role.PlaceholderText: theme.muted,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.window,
        role.Link: theme.accent,
        role.Light: theme.raised,
        role.Midlight: theme.raised,
        role.Mid: theme.line,
        role.Dark: theme.line,
        role.Shadow: theme.window,
    }.items():
        made.setColor(where, QColor(colour))
    for where in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, where, mixed(theme.muted, theme.window, 0.6))
    return made


def sheet(theme: Theme) -> str:
    return _SHEET.format(
        window=theme.window,
        raised=theme.raised,
        line=theme.line,
        surface=theme.surface,
        danger=theme.danger,
        small=theme.small,
        text=theme.text,
        muted=theme.muted,
        accent=theme.accent,
        chosen=mixed(theme.accent, theme.raised, 0.3).name(),
        title=theme.title,
    )


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Dress the application, unless it wears this theme: that takes most of a second where a window is open. Fusion,
    because native styles ignore parts of a palette."""
    font, colours, rules = tabular(theme, theme.normal), palette(theme), sheet(theme)
    if (app.font(), app.palette(), app.styleSheet()) == (font, colours, rules):
        return
    app.setStyle("Fusion")
    app.setFont(font)
    app.setPalette(colours)
    app.setStyleSheet(rules)
