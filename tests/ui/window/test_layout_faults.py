"""No text is cut and no widgets overlap at any size of the screen, scale and theme.

A screen of 3840x2160 with a device pixel ratio of 2 is laid out as one of 1920x1080. The light theme has the type sizes of the
dark one.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial

import pytest
from layout_faults import layout_faults
from PySide6.QtCore import QCoreApplication, QEvent, QRect
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot
from window_steps import editing, wait_computed, wait_two_frames  # noqa: F401

from quatviz.app import WindowController
from quatviz.base.resources import preset_folder
from quatviz.display.document.document import Document
from quatviz.display.view_state.measurement import Measurement
from quatviz.display.view_state.theme import DARK, LIGHT, PROJECTOR
from quatviz.display.view_state.view_layout import ViewLayout
from quatviz.display.view_state.view_state import OVERVIEW_PANELS
from quatviz.ui.tools.fit.window import FitWindow
from quatviz.ui.tools.help.window import HelpWindow
from quatviz.ui.tools.importing.dialog import ImportDialog
from quatviz.ui.tools.maps.window import MapWindow
from quatviz.ui.tools.study.window import StudyWindow
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.style import apply_scale

SCREENS = (1280, 720), (1920, 1080)
pytestmark = pytest.mark.slow

SCALES = (100, 150)
THEMES = (DARK, PROJECTOR)
DIALOGS = (
    *("compare", "add_lane", "write_formulation", "hashes", "exhibits", "save_preset", "describe"),
    *(
        "export_figure",
        "export_page",
        "export_film",
        "export_data",
        "export_sheet",
        "export_quiz",
        "prepare",
        "join",
    ),
)


Layouts = Callable[..., Iterator[tuple[str, QRect]]]
"""A function that shows the window in each layout, and gives its name and screen."""


class _Screen:
    """A screen of a given size."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.area = QRect(0, 0, *size)

    def availableGeometry(self) -> QRect:
        return self.area

    geometry = availableGeometry


@pytest.fixture
def layouts(editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Layouts]:
    """Iterate over screens, scales and themes: the window follows each, and its name and screen are given."""
    window = editing.window
    screen = _Screen(SCREENS[0])
    monkeypatch.setattr(QWidget, "screen", lambda _: screen)

    def iterate(screens: Sequence[tuple[int, int]] = SCREENS) -> Iterator[tuple[str, QRect]]:
        wait_computed(editing, qtbot)
        for size in screens:
            screen.area = QRect(0, 0, *size)
            for scale in SCALES:
                apply_scale(scale)
                for theme in THEMES:
                    window.theme_switch.show(theme)
                    window.setGeometry(screen.area)
                    wait_two_frames(editing, qtbot)
                    window.status.clear()
                    yield f"{size[0]}x{size[1]}, {scale} %, {theme.name}", screen.area

    yield iterate
    apply_scale(100)


def faults_on(window: QWidget, screen: QRect) -> list[str]:
    """Return the faults of a window, one of which may be that it is larger than the screen."""
    faults = layout_faults(window)
    if window.width() > screen.width() or window.height() > screen.height():
        faults.append(f"the window of {window.width()}x{window.height()} is larger than the screen")
    return faults


def test_light_and_dark_have_the_same_type_sizes() -> None:
    assert (LIGHT.small, LIGHT.normal, LIGHT.title) == (DARK.small, DARK.normal, DARK.title)


def lasting_faults(window: QWidget, screen: QRect, qtbot: QtBot) -> list[str]:
    """Return the faults that are left when the layout has settled, which takes several turns of the event loop."""
    with suppress(qtbot.TimeoutError):
        qtbot.waitUntil(lambda: not faults_on(window, screen))
    return faults_on(window, screen)


@pytest.mark.parametrize("part", ["run", "four views", "measurement", "start page"])
def test_main_window_has_no_layout_faults(
    part: str, editing: WindowController, layouts: Layouts, qtbot: QtBot
) -> None:
    """Two lanes and five panels, with all settings in view."""
    window = editing.window
    window.store.update(panels={"*": False, **dict.fromkeys(OVERVIEW_PANELS, True)})
    if part == "four views":
        window.store.update(views=ViewLayout(number=4, each=True))
    elif part == "measurement":
        window.store.update(measurement=Measurement(True, next(iter(editing.simulation)).name, "omega", 1))
    elif part == "start page":
        editing.start_page.toggle()
    faults = {
        name: screen_faults
        for name, screen in layouts()
        if (screen_faults := lasting_faults(window, screen, qtbot))
    }
    assert not faults


@pytest.mark.parametrize("name", DIALOGS)
def test_dialog_has_no_layout_faults(
    name: str, editing: WindowController, layouts: Layouts, qtbot: QtBot
) -> None:
    """On the smallest screen only, since dialogs do not grow with the screen."""
    faults = {}
    for layout, screen in layouts(SCREENS[:1]):
        editing.window.action_registry[name].trigger()
        dialog = next(dialog for dialog in editing.window.findChildren(QDialog) if dialog.isVisible())
        wait_two_frames(editing, qtbot)
        if screen_faults := faults_on(dialog, screen):
            faults[layout] = screen_faults
        dialog.reject()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not faults


def shows_preview(dialog: ImportDialog) -> bool:
    return dialog.draft.preview is not None and not dialog.is_busy


def test_import_dialog_has_no_layout_faults(
    editing: WindowController, layouts: Layouts, qtbot: QtBot
) -> None:
    """With a recording, whose plots and table need more height than the screen has."""
    faults = {}
    for layout, screen in layouts(SCREENS[:1]):
        dialog = ImportDialog(editing.document, editing.window)
        dialog.import_files([preset_folder() / "thrown_phone.csv"])
        qtbot.waitUntil(partial(shows_preview, dialog))
        if screen_faults := lasting_faults(dialog, screen, qtbot):
            faults[layout] = screen_faults
        dialog.shutdown()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not faults


@pytest.mark.parametrize("make", [StudyWindow, MapWindow, FitWindow, lambda _: HelpWindow()])
def test_tool_window_has_no_layout_faults(
    make: Callable[[Document], StudyWindow | MapWindow | FitWindow | HelpWindow],
    editing: WindowController,
    layouts: Layouts,
    qtbot: QtBot,
) -> None:
    faults = {}
    for layout, screen in layouts(SCREENS):
        window = make(editing.document)
        with qtbot.waitExposed(window):
            window.show()
        if screen_faults := faults_on(window, screen):
            faults[layout] = screen_faults
        window.shutdown()
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not faults


def test_faults_are_found(qtbot: QtBot) -> None:
    """A label in too little room, and two buttons on each other."""
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(200, 100)
    cut = label(text="Angular momentum", word_wrap=False)
    wrapped = label(text="one two three four five six seven")
    for number, child in enumerate((cut, wrapped, Button("One"), Button("Another"))):
        child.setParent(parent)
        child.setGeometry(10 + number, 10 * number, 40, 20)
    with qtbot.waitExposed(parent):
        parent.show()
    faults = "\n".join(layout_faults(parent))
    assert "'Angular momentum' needs a width of" in faults
    assert "'one two three four five six seven' needs a height of" in faults
    assert "Button and Button overlap" in faults
