"""Every text of the window is translated through `quatviz.base.translation`, and no internal name of files or scripts is shown.
The test language is English in capitals, so that a small letter reveals an untranslated text."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtGui import QPainter, QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QPlainTextEdit,
    QTableWidget,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot
from qt_events import wait_laid_out
from window_steps import make_session, open_session, wait_computed, wait_two_frames

import quatviz as qv
from quatviz.app import WindowController
from quatviz.base.citations import REFERENCES
from quatviz.base.translation import TRANSLATION_CONTEXT
from quatviz.export.documents import EXHIBITS
from quatviz.export.formats import FORMATS
from quatviz.files.preset import Lane
from quatviz.physics.events import EVENTS, event_templates
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.loads import LOADS
from quatviz.teaching.lessons import read_lesson
from quatviz.teaching.lessons.parsing import lesson_paths
from quatviz.ui.sidebar.presets import PresetDialog
from quatviz.ui.tools.export.dialogs import EXPORTS

DOCUMENTS = (
    *("BodyTile", "HelpWindow", "LessonChooser", "LessonPanel", "LessonTile", "PresetCard"),
    *("QuestionView", "RichTextLabel", "_TourCard"),
)
"""Widgets that show presets, lessons and help pages, which are files in a language of their own."""
KEPT = re.compile(
    r"\{[^}]*\}|<[^>]*>"  # places and marks
    r"|\w+#[\w-]+|\w*\.(csv|npz|parquet|h5|gif|mp4|webm|toml|html)\b"  # help topics, file suffixes
    r"|\b(Ctrl|Shift|Alt|Space|Home|End|Esc|Page|Left|Right|Return)\b"  # menu keys, which Qt names
    r"|\b(rad|deg|det|kg|ms|Hz|dpi|px)\b|\b[0-9a-f]{8}\b|“[^”]*”|\w+…\w+/\w+"  # units, hashes, quoted or elided text
)
PROPER = re.compile(
    r"quatviz|OpenGL|Newton|Euler|Lagrange|Hamilton|Udwadia|Schutte|Rodrigues|Runge|Kutta|Dormand|Prince|Baumgarte"
)
AUTHORS = {reference.authors for reference in REFERENCES.values()}
CITATIONS = {method.source for method in INTEGRATORS.values()}
"""Sources, which may cite functions of other programs."""
WORD = re.compile(r"[a-zà-ÿ]{3,}")
OF_FILES = re.compile(r"[A-Za-z]+[0-9]*(?:_[A-Za-z0-9]+)+")


class Capitals(QTranslator):
    """Translator to capitals that records the texts in `asked`."""

    asked: set[str]
    before: list[QWidget]
    """Widgets that existed when it was installed."""

    def translate(self, context: str, text: str, note: str | None = None, number: int = -1) -> str:
        if context != TRANSLATION_CONTEXT:
            return None  # type: ignore[return-value] # which says that there is no translation
        self.asked.add(text)
        return re.sub(
            r"\{[^}]*\}|<[^>]*>|[^\W\d_]+",
            lambda match: match[0] if match[0][0] in "{<" else match[0].upper(),
            text,
        )


class TextCollector:
    """Collects the texts of the window that are not in capitals, with their place. Widgets in `others`, left by other tests, are
    ignored."""

    def __init__(self, names: set[str], widgets: list[QWidget]) -> None:
        longest = sorted(names, key=len, reverse=True)
        self._names = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest))
        self.heard: dict[str, str] = {}
        self.of_files: dict[str, str] = {}
        """Texts with a name as files have it, with their places."""
        self._others = widgets
        self._noted: set[str] = set()
        self.painted: set[str] = set()

    def collect(self, location: str) -> None:
        """Collect the texts of all widgets."""
        for widget in QApplication.allWidgets():
            if widget not in self._others and not is_exempt(widget):
                for text in texts_of(widget):
                    self.note(
                        text, f"{location}, {type(widget).__name__} in {type(widget.parentWidget()).__name__}"
                    )
        for text in self.painted:
            self.note(text, f"{location}, painted")
        self.painted.clear()

    def note(self, text: str, location: str) -> None:
        """Keep a text if one of its words is in small letters and no name. Each text is checked once."""
        if text in self._noted:
            return
        self._noted.add(text)
        plain_text = plain(text)
        if plain_text not in CITATIONS and OF_FILES.search(KEPT.sub("", plain_text)):
            self.of_files.setdefault(plain_text, location)
        if WORD.search(PROPER.sub("", KEPT.sub("", self._names.sub("", plain_text)))):
            self.heard.setdefault(plain_text, location)


def plain(text: str) -> str:
    """Return the text without HTML markup."""
    if "<" not in text:
        return text
    document = QTextDocument()
    document.setHtml(text)
    return document.toPlainText()


def is_exempt(widget: QWidget) -> bool:
    """Return True if the widget shows a document or belongs to a hidden menu of pyqtgraph."""
    above: QWidget | None = widget
    while above is not None:
        if (
            type(above).__name__ in DOCUMENTS
            or above.objectName() == "presetDescription"
            or (isinstance(above, QMenu) and above.title() == "Plot Options")
        ):
            return True
        above = above.parentWidget()
    return False


def texts_of(widget: QWidget) -> Iterator[str]:
    """Return all texts of one widget, for eyes and for a screen reader."""
    yield from (widget.toolTip(), widget.statusTip(), widget.accessibleName(), widget.accessibleDescription())
    yield from (action.text() for action in widget.actions())
    if widget.isWindow():
        yield widget.windowTitle()
    if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
        yield widget.text()
    if isinstance(widget, QLineEdit | QTextEdit | QPlainTextEdit):
        yield widget.placeholderText()
    if isinstance(widget, QGroupBox | QMenu):
        yield widget.title()
    if isinstance(widget, QComboBox):
        yield from map(widget.itemText, range(widget.count()))
    if isinstance(widget, QListWidget):
        yield from (widget.item(row).text() for row in range(widget.count()))
    if isinstance(widget, QTableWidget):
        heads = map(widget.horizontalHeaderItem, range(widget.columnCount()))
        yield from (head.text() for head in heads if head is not None)


def names_of(session: WindowController) -> set[str]:
    """Return the names that are equal in every language: types, lanes, and titles of documents."""
    families = (FORMULATIONS, INTEGRATORS, LOADS, EVENTS, FORMATS)
    names = {name for family in families for name in family}
    names |= {f"{name}/{variant}" for name, entry in FORMULATIONS.items() for variant in entry.variants}
    names |= {entry.title for entry in FORMATS.values()}
    names |= {entry.source for entry in INTEGRATORS.values()}
    # A figure or table of the documents appears when it has been computed.
    names |= {f"{entry.title}: {entry.caption}" for entry in EXHIBITS.values()}
    names |= {read_lesson(path).title for path in lesson_paths().values()}
    names |= {session.simulation.preset.title, qv.load_preset("half_turn").title}
    return names | {"quatviz run FILE --hash"}


@pytest.fixture
def capitals(qapp: QApplication) -> Iterator[Capitals]:
    translator = Capitals()
    translator.before = QApplication.allWidgets()
    translator.asked = set()
    assert qapp.installTranslator(translator)
    yield translator
    qapp.removeTranslator(translator)


@pytest.fixture
def session(qtbot: QtBot, qapp: QApplication, capitals: Capitals) -> Iterator[WindowController]:
    preset = qv.load_preset("torque_free")
    preset = replace(preset, lanes=(*preset.lanes, Lane("euler_angles/321"), Lane("lagrange_full")))
    with open_session(make_session(preset)) as session:
        wait_computed(session, qtbot)
        yield session


def test_every_text_of_the_window_is_translated(
    session: WindowController, qtbot: QtBot, capitals: Capitals, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, ear = session.window, TextCollector(names_of(session) | AUTHORS, capitals.before)
    paint = QPainter.drawText

    def drawText(painter: QPainter, *given: object) -> object:
        ear.painted.update(argument for argument in given if isinstance(argument, str))
        return paint(painter, *given)  # type: ignore[call-overload]

    monkeypatch.setattr(QPainter, "drawText", drawText)

    def check_texts(location: str, *doings: Callable[[], object]) -> None:
        for do in doings:
            do()
        wait_laid_out(window, qtbot)
        wait_two_frames(session, qtbot)
        ear.collect(location)

    ear.collect("main window")
    check_texts(
        "side column",
        lambda: window.side.open_sections([name.replace(" ", "_") for name in window.side.sections]),
        *(lane.heading.click for lane in window.side.lane_list.rows),
    )
    check_texts(
        "panels", *(lambda name=name: window.board.show_panel(name, True) for name in window.board.titles)
    )
    check_texts("menus", *(menu.aboutToShow.emit for menu in window.findChildren(QMenu)))
    for name in event_templates():
        check_texts(f"event {name}", lambda name=name: window.experiments.perform(name, 1.0))  # type: ignore[misc]
        window.experiments.event_card.dismiss()
    for what in EXPORTS:
        if what != "documents":  # which starts with a dialog of the system
            check_texts(f"export {what}", lambda what=what: session.exporter.open_dialog(what))  # type: ignore[misc]
    keep = PresetDialog(session.document.state.preset, lambda *_: None, window)
    check_texts(
        "dialogs",
        session.choose_lesson,
        keep.show,
        partial(session.open_tool, "study"),
        partial(session.open_tool, "maps"),
        partial(session.open_tool, "fit"),
        window.action_registry["hashes"].trigger,
        window.action_registry["exhibits"].trigger,
        window.equation_window.open,
    )
    check_texts("all keys", window.key_overlay.toggle)
    for other in QApplication.topLevelWidgets():
        if other.isVisible() and other is not window:
            other.close()
    check_texts("tour", session.start_tour)
    assert session.tour is not None
    session.tour.end()
    monkeypatch.setattr(
        QPainter, "drawText", paint
    )  # tiles of the start page paint texts of presets and lessons
    ear.painted.clear()
    check_texts("start page", session.start_page.show)
    session.start_page.leave()
    monkeypatch.setattr(QPainter, "drawText", drawText)
    session.present(read_lesson("half_turn"))
    assert session.presenter is not None
    check_texts("lesson", session.presenter.go_next)
    assert not ear.heard, "\n".join(f"{location}: {text!r}" for text, location in ear.heard.items())
    assert not ear.of_files, "\n".join(f"{location}: {text!r}" for text, location in ear.of_files.items())
    assert len(capitals.asked) > 600
