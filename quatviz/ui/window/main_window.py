"""The window: where its parts stand, how it shows its run, and what its keys and menus do. The only place that knows what holds
which choice."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QMainWindow,
    QMenu,
    QScrollBar,
    QStackedWidget,
    QWidget,
)
from shiboken6 import isValid

from quatviz.base.errors import InputError
from quatviz.base.help_topics import DISPLAY, FAULT
from quatviz.base.translation import tr, translated
from quatviz.display.data.frame import Frame, Source
from quatviz.display.data.frame_builder import Listener
from quatviz.display.document.document import Document, Step
from quatviz.display.document.view_undo import Looks
from quatviz.display.view_state.choices import SEQUENCE, SIGN, TURNS
from quatviz.display.view_state.theme import THEMES, Theme
from quatviz.display.view_state.view_state import PLOTS, SIDE, VIEWS, Look
from quatviz.files.preset import Preset
from quatviz.physics.geometry.meshes import SUFFIXES
from quatviz.physics.observables.jumps import FLIP, SINGULAR, WRAP
from quatviz.physics.observables.read_options import Reading
from quatviz.simulation.commands import ClearRange, Command, Seek, SetRange, Toggle
from quatviz.simulation.simulation import lane_names
from quatviz.teaching.help.actions import Menu
from quatviz.teaching.lessons.presentation import Votes
from quatviz.ui.plots.board import PlotBoard, add_range
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.scene.view_grid import Magnifier, Views
from quatviz.ui.sidebar.column import SideColumn
from quatviz.ui.tools.cards.window import CardWindow
from quatviz.ui.tools.export.exporter import Exporter
from quatviz.ui.transport.transport_bar import TransportBar
from quatviz.ui.widgets.actions import Acts
from quatviz.ui.widgets.controls import column, divided, held, open_at, tab_as_laid_out
from quatviz.ui.widgets.focus import in_sight, in_tabs
from quatviz.ui.widgets.search_popup import Finder
from quatviz.ui.widgets.style import Themed, apply_theme, wear
from quatviz.ui.window.command_palette import entries_of
from quatviz.ui.window.experiment_controller import Laboratory
from quatviz.ui.window.file_actions import Desk, dropped_files
from quatviz.ui.window.key_overlay import KeyOverlay
from quatviz.ui.window.recovery import RecoveryBar
from quatviz.ui.window.status_row import Narrator, StatusRow

_WIDTH, _FOUND = 640, 11
"""Of the palette: pixels, and entries that are seen at once."""


class Tools:
    """What the window opens beside itself: this one opens nothing, which is for a window that is only painted."""

    exporter: Exporter
    """Of the window, where a person can ask it for anything."""

    @property
    def scale(self) -> int:
        """Size of everything [%]."""
        return 100

    @property
    def presenting(self) -> bool:
        """Whether a lesson is presented."""
        return False

    def show_run(self) -> None:
        """Show the run, if the start page stands in its place."""

    def toggle_start_page(self) -> None:
        """Show the start page, or the run."""

    def open_study(self) -> None:
        """Show the window of studies."""

    def open_maps(self) -> None:
        """Show the window of maps."""

    def import_recordings(self, paths: Sequence[Path]) -> None:
        """Let a person say how recordings are read that are to be lanes."""

    def read_again(self, lane: str) -> None:
        """Let a person change how the recording of a lane is read."""

    def open_fit(self) -> None:
        """Show the window in which a body is fitted to a recording."""

    def compare(self) -> None:
        """Let a person choose formulations to be seen beside each other."""

    def start_tour(self) -> None:
        """Lead through the window."""

    def present_lesson(self, path: Path) -> None:
        """Present the lesson of a file, or say why that cannot be."""

    def choose_lesson(self) -> None:
        """Let a person choose a lesson."""

    def follow_lesson(self, what: str) -> None:
        """In the lesson that is presented: "next", "back", "votes", "room", "pointer", "leave"."""

    @property
    def in_room(self) -> bool:
        """Whether a lesson is shown to a lecture room."""
        return False

    def counted(self, back: bool) -> Votes | None:
        """Votes of a lesson, where the last step that can be taken back, or else be done again, is theirs."""
        return None

    def set_scale(self, scale: int) -> None:
        """Show everything at this size [%], now and from the next start on."""

    def reset_look(self) -> None:
        """Look and layout of a first start."""


class MainWindow(Themed, QMainWindow):
    """The parts of the window, which know nothing of each other. It shows frames and emits commands. `table` are the acts that
    are done to it (`ui.window.acts`), and `tools` what it opens beside itself."""

    command = Signal(object)
    """A `simulation.commands.Command` that a person asked for."""
    closed = Signal()
    _widths: tuple[int, ...] = ()
    """Those that a person gave the parts before a run wanted others, and"""
    _division: tuple[int, ...] = ()
    """what that wants."""
    _side = SIDE
    """Width of the side column as it was chosen; it has more where its words need more."""

    def __init__(
        self,
        document: Document,
        table: Sequence[Menu[Any]],
        tools: Tools | None = None,
        theme: Theme | None = None,
    ) -> None:
        """`theme` is one of its own, for a window that is only painted; others wear that of the application."""
        super().__init__()
        self._own_theme = theme is not None
        if theme is not None:
            wear(self, theme)
        self.setWindowTitle("quatviz")
        self.document = document
        self.tools = tools or Tools()
        self.acts: Acts[Any] = Acts(
            table, self, lambda act: None if act.stays else self.tools.show_run(), self
        )
        self.views = Views(acts=self.acts, sequence=self._sequence)
        self.views.setAccessibleName(tr("3D views"))
        self.board = PlotBoard(self.acts)
        self.transport = TransportBar(self.acts, self.send, self.angles_seen, self._causes_seen)
        self.transport.refused.connect(self.explain)
        self.side = SideColumn(document, self.acts, lambda: self.board.choices.reference)
        self.magnifier = Magnifier(
            self.views, f"{self.acts.keys('magnify')}, {self.acts.keys('magnify_less')}"
        )
        self.views.host(self.magnifier)
        self.laboratory = Laboratory(
            document,
            self,
            self.views,
            self.board.choices,
            self.transport.scrubber,
            self.send,
            self.acts,
            lambda menu: add_range(menu, self.board),
        )
        self.rows = divided(grows=0, way=Qt.Orientation.Vertical)
        self.cards = CardWindow(self, self.rows)
        self.desk = self._make_desk()
        self.recovery = RecoveryBar()
        self.overlay = KeyOverlay(self, table)
        self.looks = Looks(self)
        asks = tr("Find acts, presets, lessons, panels and help")
        self.palette_ = Finder(self, tr("Find anything"), asks, _FOUND)
        self.frame: Frame | None = None
        self._last: Step | None = None
        """The step that led to what is shown."""
        self._left: QWidget | None = None
        """What had the keys before the window got them."""
        self.menus: dict[str, QMenu] = {}
        self._said_of_run: tuple[str, Preset | None] = "", None
        self._explained = ""
        self.status, self.narrator = StatusRow(self, self.views), Narrator(self)
        self._lay_out()
        self._make_menus()
        self._connect()
        if theme is not None:
            wear(self, theme)  # all parts are there now

    @property
    def scene(self) -> SceneView:
        """The first of the 3D views, which lasts as long as the window."""
        return self.views.first

    @property
    def listeners(self) -> tuple[Listener, ...]:
        """Every part that follows the run, this window included."""
        side = self.side
        return (
            *(self, self.narrator, self.laboratory, self.views, self.board, self.transport, self.cards),
            *(side.lane_list, side.setup, side.readouts),
        )

    def start(self, source: Source) -> None:
        """A run begins."""
        self.setWindowTitle(tr("{title} – quatviz", title=source.info.title))

    def show_frame(self, frame: Frame) -> None:
        """Take in what the acts and the status row need."""
        self.frame = frame
        self.status.show_notice(frame.notice)

    @property
    def toured(self) -> dict[str, QWidget]:
        """What the sections of the help's first steps are about, by their slugs."""
        return {
            "one-motion-many-ways": self.views,
            "the-body-in-3d": self.views,
            "one-cursor-for-everything": self.transport,
            "the-lanes": self.side.sections["Lanes"],
            "the-curves": self.board,
            "choose-another-motion": self.side.picker,
            "change-it": self.side.setup,
            "where-to-find-help": self.side.help,
        }

    @property
    def recorded(self) -> list[str]:
        """The lanes that show a recording from a file."""
        lanes = self.document.state.preset.lanes
        return [
            name
            for name, lane in zip(lane_names(lanes), lanes, strict=True)
            if isinstance(lane.recording, Reading)
        ]

    @property
    def look(self) -> Look:
        """How the run is shown now. The size of everything is not the window's."""
        board, views, at = self.board, self.views, self.frame
        choices, axis, arranger = board.choices, board.axis, board.arranger
        look = Look(
            theme=self.theme.name,
            panels=board.wanted,
            layout=arranger.layout,
            maximised=arranger.maximised or "",
            options=choices.chosen,
            difference=choices.difference,
            reference=choices.wanted,
            span=() if axis.whole else (_short(axis.low), _short(axis.high)),
            follow=axis.following,
            items=views.wanted,
            views=views.plan,
            cameras={place: view.stance for place, view in enumerate(views.shown, 1)},
            magnification=views.magnification,
            equations=self.cards.docked,
            lane_numbers=self.side.lane_list.numbered,
            sections=tuple(self.side.open_names()),
            splitter=() if self.lent else self._own_widths,
            division=self._division,
            lanes=self.document.state.display,
            scrolled=tuple(bar.value() / max(bar.maximum(), 1) for bar in self._bars),
        )
        if at is None:
            return look
        selected = tuple(_short(time) for time in at.selected or ())
        return replace(look, cursor=_short(at.heading), speed=at.speed, loop=at.loop, selected=selected)

    @property
    def lent(self) -> bool:
        """Whether a lesson has the window: what it shows is not a person's wish."""
        return self.side.isHidden()

    def dress(self, look: Look) -> None:
        """Show a look; where the run is, and how its lanes are shown, is the document's: see `document.state`."""
        board = self.board
        if look.theme != self.theme.name:
            self.show_theme(THEMES[look.theme])
        self._split(look.splitter, look.division)
        board.arranger.arrangement.recall(look.layout, look.maximised)
        board.show_panels(look.panels)
        board.choices.show(look.options, look.difference, look.reference)
        board.axis.show_span(look.span)
        board.axis.following = look.follow
        self.magnifier.set_power(look.magnification)
        self.views.dress(look)
        self.cards.dock(look.equations)
        self.side.open_sections(look.sections)
        self.side.lane_list.show_numbers(look.lane_numbers)
        self.scroll_to(look.scrolled)

    def scroll_to(self, shares: Sequence[float]) -> None:
        """Show so much further down, where there is as much: side column and plots."""
        for bar, share in zip(self._bars, shares, strict=False):
            bar.setValue(round(share * bar.maximum()))

    @property
    def _bars(self) -> tuple[QScrollBar, QScrollBar]:
        return self.side.verticalScrollBar(), self.board.bar

    @property
    def _own_widths(self) -> tuple[int, ...]:
        """Those that a person gave the parts, which are there where no run wants others."""
        return self._widths if self._division else (self._side, *self.splitter.sizes()[-2:])

    def _split(self, widths: tuple[int, ...], division: tuple[int, ...]) -> None:
        """Give the parts the widths that the run wants, a person's, or those of a first start. In a window of another width the
        side column has its own, and views and plots share the rest as they did. All keep what they have while a lesson stands
        before them, and what a hand has made of a run's division while that is shown."""
        splitter, stands = self.splitter, bool(division) and division == self._division
        self._widths, self._division = widths, division
        if splitter.count() > 3 or stands:
            return
        self._side, *others = division or widths or (SIDE, VIEWS, PLOTS)
        self._part(others)

    def _part(self, others: list[int]) -> None:
        side, splitter = self._side, self.splitter
        if splitter.isVisible():
            rest = max(sum(splitter.sizes()) - side, 1)
            others = [round(rest * width / max(sum(others), 1)) for width in others]
        else:  # behind the start page it has no room yet, and would make three of a kind of what it has
            splitter.resize(side + sum(others), splitter.height())
        splitter.setSizes([side, *others])

    def _narrow(self) -> None:
        """Give the side column no more than was chosen, once its words need no more: larger type may have widened it."""
        side, *others = self.splitter.sizes()[-3:]
        if not self.lent and side > max(self._side, self.side.minimumSizeHint().width()):
            self._part(others)

    def _choose_width(self, _: int, handle: int) -> None:
        if handle == self.splitter.indexOf(self.views):
            self._side = self.splitter.sizes()[-3]

    def say(self, sentence: str, topic: str = "") -> None:
        """Show a sentence in the status row, with a link where a topic of the help explains it."""
        self.status.say(sentence, topic)
        self.narrator.announce(sentence)

    def _say_of_run(self, sentence: str, topic: str) -> None:
        self._said_of_run = sentence, self.document.state.preset
        self.say(sentence, topic)

    def explain(self, refusal: InputError | None) -> None:
        """Say there why something cannot be; None takes back what was said so last."""
        if refusal is None:
            self.status.take_back(self._explained)
            return
        refusal = translated(refusal)
        self._explained = f"{refusal.place}: {refusal.found}; {refusal.remedy}"
        self.say(self._explained, refusal.topic)

    def show_theme(self, theme: Theme) -> None:
        """Show everything in another theme, while the run goes on."""
        app = QApplication.instance()
        if self._own_theme:
            wear(self, theme)
        elif isinstance(app, QApplication):
            apply_theme(app, theme)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self.menuBar().setVisible(not self.isFullScreen())

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closed.emit()
        super().closeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = dropped_files(event.mimeData())
        if paths:
            event.acceptProposedAction()
            self.desk.drop(*paths)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape, where no part of the window has taken it."""
        if event.key() == Qt.Key.Key_Escape:
            self.board.escape()
        else:
            super().keyPressEvent(event)

    def shut_down(self) -> None:
        """Let go of graphics while their contexts still live, and of what was said, which has a timer."""
        self.looks.end()
        self.acts.end()
        self.status.clear()
        self.cards.shut_down()
        self.board.shutdown()
        self.views.shutdown()

    @property
    def titles(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Of panels and of items in 3D, by name."""
        return self.board.titles, {name: tr(item.title) for name, item in self.views.items.items()}

    def send(self, *commands: Command) -> None:
        """Ask this of the run. What depends on what plays, the run decides: between two frames a person may ask twice."""
        for command in commands:
            self.command.emit(command)

    def _lay_out(self) -> None:
        self.splitter = divided((self.side, 0), (self.views, 0), (self.board, 0), grows=1)
        self.splitter.setStretchFactor(2, 1)
        self.splitter.splitterMoved.connect(self._choose_width)
        self.side.relaid.connect(self._narrow)
        self.stack = QStackedWidget()
        """The run, and in place of it what else there is: the start page."""
        self.rows.insertWidget(0, self.splitter)
        self.dress(Look(theme=self.theme.name))
        self.stack.addWidget(held(column((self.rows, 1), self.transport, gap=0)))
        self.transport.host(self.laboratory.old)
        self.setCentralWidget(held(column(self.recovery, (self.stack, 1), gap=0)))
        # A click beside a field takes the focus out of it: what was typed is taken in, and keys play again.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()  # or Qt would give the focus, and with it the keys, to the first button
        open_at(self, 1600, 900)

    def _make_desk(self) -> Desk:
        return Desk(
            self.document,
            self.side.picker,
            self,
            lambda: self.look,
            self.dress,
            {**dict.fromkeys(SUFFIXES, self.side.take_mesh), ".md": self.tools.present_lesson},
            self.tools.import_recordings,
            lambda: self.tools.follow_lesson("leave"),
        )

    def _sequence(self) -> str:
        return self.board.choices.option(SEQUENCE)

    def _sees(self, *panels: str) -> bool:
        return any(panel.name in panels for panel in self.board.panels)

    def angles_seen(self) -> str:
        """The sequence, where a panel or the rings show its angles: marks of what nobody sees would tell nobody anything."""
        shown = self.views.shows("gimbals") or self._sees("euler_angles", "det_s")
        return self._sequence() if shown else ""

    def _causes_seen(self) -> set[int]:
        """Why what is seen jumps: as curves are drawn, angles may wrap or not, and p change its sign or not."""
        option = self.board.choices.option
        wraps = self._sees("euler_angles") and option(TURNS) == "wrapped"
        flips = self._sees("euler_parameters") and option(SIGN) != "continuous"
        return {SINGULAR} | ({WRAP} if wraps else set()) | ({FLIP} if flips else set())

    def _make_menus(self) -> None:
        for menu in self.acts.table:
            self.menus[menu.name] = made = self.acts.menu(menu, self.menuBar())
            self.menuBar().addMenu(made)
        self.addActions(list(self.acts))  # keys work without the menu bar too

    def _connect(self) -> None:
        self.board.seek_requested.connect(lambda time: self.send(Seek(time)))
        self.board.axis.range_wanted.connect(
            lambda selected: self.send(SetRange(*selected) if selected else ClearRange())
        )
        self.board.problem.connect(lambda sentence: self.say(sentence, FAULT))
        self.board.said.connect(self.say)
        self.board.arranger.over.connect(self.status.take_back)
        self.views.problem.connect(
            lambda sentence: self.say(sentence, DISPLAY if "OpenGL" in sentence else FAULT)
        )
        self.board.choices.changed.connect(self.views.renew)
        self.views.changed.connect(self.acts.renew)
        self.acts.done.connect(self.looks.take)
        self.board.axis.selected_changed.connect(self.acts.renew)
        self.side.setup.initial.turned.connect(self.laboratory.show_start)
        self.cards.pointed.connect(lambda at: self.views.set_highlight(at.quantity if at is not None else ""))
        self.cards.pointed.connect(self.board.set_highlight)
        self.recovery.restore_wanted.connect(self.desk.restore)
        self.setAcceptDrops(True)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._remember_focus)
        self.document.said.connect(self._say_of_run)
        self.document.changed.connect(lambda _: self._follow_steps())
        self._follow_steps()

    def _follow_steps(self) -> None:
        """Say in menus and tool tips what undo and redo would do, and mark edits on the timeline. What was said of a run that is
        another by now, such as of an edit that is undone, holds no longer."""
        said, preset = self._said_of_run
        if preset is not self.document.state.preset:
            self.status.take_back(said)
        last, self._last = self._last, self.document.steps[-1] if self.document.steps else None
        if self._last is not None and self._last.goes_on_with(last):
            return  # a hand is at it, and all this was said when it took hold
        self.acts.renew()
        self.transport.scrubber.show_edits(self.document.edits)

    def way_back(self, on: bool = False) -> Document | Votes:
        """Where the last step was taken, or, to go `on` again, undone: what undo and redo are done to."""
        return self.tools.counted(back=not on) or self.document

    def press_or_toggle(self) -> None:
        """Space plays and pauses, but where the Tab key has led to a button it presses that."""
        focused = self.focusWidget()
        if isinstance(focused, QAbstractButton):
            focused.click()
        elif isinstance(focused, QComboBox):
            focused.showPopup()
        else:
            self.send(Toggle())

    def to_mark(self, direction: int) -> None:
        """Put the cursor on the next mark: an event, an edit, a lane's end, a jump of coordinates."""
        time = self.transport.scrubber.mark_beside(direction)
        if time is None:
            self.say(
                tr("There is no mark {side} the cursor", side=tr("after") if direction > 0 else tr("before"))
            )
        else:
            self.command.emit(Seek(time))

    def zoom_to_range(self) -> None:
        """Show the selected times as wide as the plots are."""
        if self.board.axis.selected is None:
            self.say(tr("No times are selected: drag in a plot or on the timeline with Shift"))
        self.board.axis.show_selected()

    def toggle_follow(self) -> None:
        """Let the plots follow the cursor, or stay where they are."""
        axis = self.board.axis
        axis.following = not axis.following
        self.say(tr("The plots follow the cursor") if axis.following else tr("The plots stay where they are"))

    def toggle_full_screen(self) -> None:
        """The whole screen, or a window again."""
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def reach_menus(self) -> None:
        """Give the keys to the menu bar; on a full screen, where it is hidden, let it come, or go again."""
        bar = self.menuBar()
        bar.setVisible(not self.isFullScreen() or not bar.isVisible())
        if not bar.isVisible():
            return
        bar.setFocus()
        bar.setActiveAction(bar.actions()[0])

    def reach_part(self, by: int) -> None:
        """Give the keys to the next part of the window, or the one before: to the first in it that Tab reaches."""
        held = (box.widget(number) for box in (self.splitter, self.rows) for number in range(box.count()))
        parts = [
            part
            for part in (*held, self.transport)
            if part and part.isVisible() and part is not self.splitter
        ]
        focus = self.focusWidget()
        at = next((number for number, part in enumerate(parts) if part.isAncestorOf(focus or self)), None)
        begin = at + by if at is not None else min(by, 0)
        for step in range(len(parts)):
            part = parts[(begin + by * step) % len(parts)]
            first = in_tabs(part, part=part)
            if first is not None:
                first.setFocus(Qt.FocusReason.TabFocusReason)
                in_sight(first)
                return

    def focusNextPrevChild(self, on: bool) -> bool:
        """Rows of the side column come and go. From the window, to which Escape gives the keys, it goes on from where they were."""
        tab_as_laid_out(self.side.parts)
        left = self._left if self.focusWidget() in (None, self) else None
        beside = in_tabs(left, on) if left is not None and isValid(left) else None
        if beside is not None:
            beside.setFocus(Qt.FocusReason.TabFocusReason if on else Qt.FocusReason.BacktabFocusReason)
        elif not super().focusNextPrevChild(on):
            return False
        in_sight(self.focusWidget())
        return True

    def _remember_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is self and old is not None and self.isAncestorOf(old):
            self._left = old

    def find_anything(self) -> None:
        """Let a person find what can be done, shown or read."""
        self.palette_.open_over(self, entries_of(self.acts), _WIDTH)

    def next_theme(self) -> None:
        """The theme that comes after the one that is shown."""
        names = list(THEMES)
        self.show_theme(THEMES[names[(names.index(self.theme.name) + 1) % len(names)]])


def _short(time: float) -> float:
    """To nine digits, which no eye tells from more."""
    return float(f"{time:.9g}")
