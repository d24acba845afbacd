"""The window: where its parts stand, and what its keys and menus do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QMainWindow,
    QMenu,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from quatviz.base.topics import DISPLAY, FAULT
from quatviz.base.tr import tr
from quatviz.document.document import Document
from quatviz.feed.frame import Frame, Source
from quatviz.geometry.meshes import SUFFIXES
from quatviz.look.choices import SEQUENCE
from quatviz.look.look import Look
from quatviz.look.theme import THEMES, Theme
from quatviz.simulation.commands import ClearRange, Command, Seek, SetPace, SetRange, Step, Toggle
from quatviz.ui.kit.acts import Acts
from quatviz.ui.kit.style import Themed, apply_theme, wear
from quatviz.ui.kit.widgets import column, held, open_at
from quatviz.ui.plots.board import PlotBoard, add_range
from quatviz.ui.scene.view import SceneView
from quatviz.ui.scene.views import Magnifier, Views
from quatviz.ui.side.column import SideColumn
from quatviz.ui.tools.cards.cards import Cards
from quatviz.ui.transport.bar import TransportBar
from quatviz.ui.transport.marks import edits
from quatviz.ui.window.acts import ACTS, Host, Tools
from quatviz.ui.window.bridge import Listener
from quatviz.ui.window.desk import Desk, dropped_file
from quatviz.ui.window.dressing import Looks, dress, look_of, scroll
from quatviz.ui.window.key_overlay import KeyOverlay
from quatviz.ui.window.laboratory import Laboratory
from quatviz.ui.window.palette import Palette
from quatviz.ui.window.recovery import RecoveryBar
from quatviz.ui.window.status_row import StatusRow


class MainWindow(Themed, QMainWindow):
    """The parts of the window, which know nothing of each other. It shows frames and emits commands. `tools` are what it
    opens beside itself."""

    command = Signal(object)
    """A `simulation.commands.Command` that a person asked for."""
    closed = Signal()

    def __init__(self, document: Document, tools: Tools | None = None, theme: Theme | None = None) -> None:
        """`theme` is one of its own, for a window that is only painted; others wear that of the application."""
        super().__init__()
        self._own_theme = theme is not None
        if theme is not None:
            wear(self, theme)
        self.setWindowTitle("quatviz")
        self.document = document
        self.tools = tools or Tools()
        self.acts: Acts[Host] = Acts(
            ACTS, self, lambda act: None if act.stays else self.tools.show_run(), self
        )
        self.views = Views(acts=self.acts, sequence=self._sequence)
        self.views.setAccessibleName(tr("3D views"))
        self.board = PlotBoard(self.acts)
        self.transport = TransportBar(self.acts, self._sequence)
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
            self.acts,
            lambda menu: add_range(menu, self.board),
        )
        self.experiment, self.old = self.laboratory.experiment, self.laboratory.old
        self.cards = Cards(self)
        self.desk = Desk(
            document,
            self.side.picker,
            self,
            lambda: self.look,
            self.dress,
            dict.fromkeys(SUFFIXES, self.side.take_mesh),
        )
        self.recovery = RecoveryBar()
        self.overlay = KeyOverlay(self)
        self.looks = Looks(self)
        self.palette_ = Palette(self.acts, self)
        self.frame: Frame | None = None
        self.menus: dict[str, QMenu] = {}
        self.status = StatusRow()
        self.stack = QStackedWidget()
        """The run, and in place of it what else there is: the start page."""
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self._make_menus()
        self._connect()
        self._follow_steps()
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
            *(self, self.laboratory, self.views, self.board, self.transport, self.cards),
            *(side.card, side.lane_list, side.setup, side.readouts),
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
            "the-body-in-3d": self.views,
            "one-cursor-for-everything": self.transport,
            "the-lanes": self.side.sections["Lanes"],
            "the-curves": self.board,
            "choose-another-motion": self.side.picker,
            "change-it": self.side.setup,
            "where-to-find-help": self.side.help,
        }

    @property
    def look(self) -> Look:
        """How the run is shown now."""
        return look_of(self, self.frame, self.document.state.display)

    def dress(self, look: Look) -> None:
        """Show the run in another way."""
        dress(self, look)

    def scroll_to(self, shares: Sequence[float]) -> None:
        """Show side column and plots so far down, from 0 to 1."""
        scroll(self, shares)

    def say(self, sentence: str, topic: str = "") -> None:
        """Show a sentence in the status row, with a link where a topic of the help explains it."""
        self.status.say(sentence, topic)

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
        if dropped_file(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = dropped_file(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.desk.drop(path)

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
        self.status.clearMessage()
        self.cards.shut_down()
        self.board.shutdown()
        self.views.shutdown()

    @property
    def titles(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Of panels and of items in 3D, by name."""
        return self.board.titles, {name: tr(item.title) for name, item in self.views.items.items()}

    def undo(self) -> None:
        """Take back the last edit, or choice about how the run is shown."""
        self.looks.take()
        self.document.undo()

    def redo(self) -> None:
        """Do again what was undone last."""
        self.looks.take()
        self.document.redo()

    def send(self, *commands: Command) -> None:
        """Ask this of the run. What depends on what plays, the run decides: between two frames a person may ask twice."""
        for command in commands:
            self.command.emit(command)

    def toggle(self) -> None:
        """Pause, or play forward."""
        self.send(Toggle())

    def _lay_out(self) -> None:
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        for part, stretch in ((self.side, 0), (self.views, 10), (self.board, 10)):
            self.splitter.addWidget(part)
            self.splitter.setStretchFactor(self.splitter.count() - 1, stretch)
        self.dress(Look(theme=self.theme.name))
        self.stack.addWidget(held(column((self.splitter, 1), self.transport, gap=0)))
        self.setCentralWidget(held(column(self.recovery, (self.stack, 1), gap=0)))
        self.setStatusBar(self.status)
        self.status.insertPermanentWidget(1, self.old)
        # A click beside a field takes the focus out of it: what was typed is taken in, and keys play again.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()  # or Qt would give the focus, and with it the keys, to the first button
        open_at(self, 1600, 900)

    def _sequence(self) -> str:
        return self.board.choices.option(SEQUENCE)

    def _make_menus(self) -> None:
        for menu in ACTS:
            self.menus[menu.name] = made = self.acts.menu(menu, self.menuBar())
            self.menuBar().addMenu(made)
        self.addActions(list(self.acts))  # keys work without the menu bar too

    def _connect(self) -> None:
        send = self.send
        self.board.seek_requested.connect(lambda time: send(Seek(time)))
        self.transport.seek_requested.connect(lambda time: send(Seek(time)))
        self.transport.step_requested.connect(lambda samples: send(Step(samples)))
        self.transport.speed_requested.connect(lambda factor: send(SetPace(factor)))
        self.transport.toggle_requested.connect(self.toggle)
        for wanted in (self.transport.range_requested, self.board.axis.range_wanted):
            wanted.connect(lambda selected: send(SetRange(*selected) if selected else ClearRange()))
        self.board.problem.connect(lambda sentence: self.say(sentence, FAULT))
        self.board.said.connect(self.say)
        self.views.problem.connect(
            lambda sentence: self.say(sentence, DISPLAY if "OpenGL" in sentence else FAULT)
        )
        self.board.choices.changed.connect(self.views.renew)
        self.views.changed.connect(self.acts.renew)
        self.acts.done.connect(self.looks.take)
        self.board.axis.selected_changed.connect(self.acts.renew)
        self.cards.pointed.connect(lambda at: self.views.set_highlight(at.quantity if at is not None else ""))
        self.cards.pointed.connect(self.board.set_highlight)
        self.side.lane_list.equations_wanted.connect(self.cards.open)
        self.side.picker.said.connect(self.say)
        self.desk.said.connect(self.say)
        self.recovery.restore_wanted.connect(self.desk.restore)
        self.setAcceptDrops(True)
        self.document.said.connect(self.say)
        self.document.changed.connect(lambda _: self._follow_steps())
        self.laboratory.command.connect(self.command)
        self.laboratory.said.connect(self.say)

    def _follow_steps(self) -> None:
        """Say in menus and tool tips what undo and redo would do, and mark edits on the timeline."""
        self.acts.renew()
        self.transport.scrubber.show_edits(edits(self.document))

    def press_or_toggle(self) -> None:
        """Space plays and pauses, but where the Tab key has led to a button it presses that."""
        focused = self.focusWidget()
        if isinstance(focused, QAbstractButton):
            focused.click()
        elif isinstance(focused, QComboBox):
            focused.showPopup()
        else:
            self.toggle()

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
        axis.set_following(not axis.following)
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

    def toggle_keys(self) -> None:
        """Show the list of all keys, or take it away."""
        self.overlay.toggle()

    def find_anything(self) -> None:
        """Let a person find what can be done, shown or read."""
        self.palette_.ask()

    def next_theme(self) -> None:
        """The theme that comes after the one that is shown."""
        names = list(THEMES)
        self.show_theme(THEMES[names[(names.index(self.theme.name) + 1) % len(names)]])
