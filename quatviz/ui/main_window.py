"""The window: where its parts stand, and what its keys and menus do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QMainWindow,
    QMenu,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from quatviz.core.topics import DISPLAY, FAULT
from quatviz.simulation.commands import Command, Seek, SetLoop, Step
from quatviz.ui.board import PlotBoard
from quatviz.ui.bridge import Listener
from quatviz.ui.cards.cards import Cards
from quatviz.ui.desk import Desk, dropped_file
from quatviz.ui.edit_marks import edits
from quatviz.ui.editing import Editor
from quatviz.ui.first_size import open_at
from quatviz.ui.frame import Frame, Source
from quatviz.ui.guard import guarded
from quatviz.ui.help.links import open_topic
from quatviz.ui.key_overlay import KeyOverlay
from quatviz.ui.keys import GROUPS, make_actions
from quatviz.ui.laboratory import Laboratory
from quatviz.ui.magnifier import Magnifier
from quatviz.ui.playback import Playback
from quatviz.ui.plotting.choices import SEQUENCE
from quatviz.ui.range_menu import add_range, doings_of_axis
from quatviz.ui.recovery import RecoveryBar
from quatviz.ui.scene.directions import DIRECTIONS
from quatviz.ui.scene.menu import fill_items
from quatviz.ui.scene.plan import NUMBERS
from quatviz.ui.scene.view import SceneView
from quatviz.ui.scene.views import Views
from quatviz.ui.side import OPEN_AT_FIRST, WIDTH, SideColumn
from quatviz.ui.status_row import StatusRow
from quatviz.ui.style import apply_theme
from quatviz.ui.theme import THEMES, Theme
from quatviz.ui.timeline import TransportBar
from quatviz.ui.tr import tr

EXPORTS = ("figure", "data", "page", "film", "documents", "sheet")

LESSON_DOINGS = ("open", "next", "back", "pointer", "leave")


class MainWindow(QMainWindow):
    """The parts of the window, which know nothing of each other. It shows frames and emits commands."""

    command = Signal(object)
    """A `simulation.commands.Command` that a person asked for."""
    closed = Signal()
    hashes_wanted = Signal()
    study_wanted = Signal()
    tour_wanted = Signal()
    acting = Signal(str)
    """An action of `keys.GROUPS` is about to be done."""
    start_page_wanted = Signal()
    """The start page is to be shown, or left."""
    lesson_wanted = Signal(str)
    """One of `LESSON_DOINGS`."""
    export_wanted = Signal(str)
    """One of `EXPORTS`."""
    restyled = Signal(object)
    """The `Theme` that is shown now, for other windows to follow."""

    def __init__(self, theme: Theme, editor: Editor) -> None:
        super().__init__()
        self.setWindowTitle("quatviz")
        self.theme = theme
        self.views = Views(theme)
        self.views.setAccessibleName(tr("3D views"))
        self.board = PlotBoard(theme)
        self.transport = TransportBar(theme)
        self.side = SideColumn(theme, editor)
        self.magnifier = Magnifier(self.views)
        self.views.host(self.magnifier)
        self.laboratory = Laboratory(
            editor, self, self.views, self.board.choices, self.side.setup.branching, self.transport.scrubber
        )
        self.experiment, self.old = self.laboratory.experiment, self.laboratory.old
        self.cards = Cards(theme, self)
        self.desk = Desk(editor, self.side.picker, self)
        self.recovery = RecoveryBar()
        self.playback = Playback(self.command.emit)
        self.overlay = KeyOverlay(theme, self)
        self._editor = editor
        self._heading = 0.0
        self.menus: dict[str, QMenu] = {}
        self.status = StatusRow()
        self.stack = QStackedWidget()
        """The run, and in place of it what else there is: the start page."""
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.actions_ = make_actions(self, self._doings(), self.acting.emit)
        self._lay_out()
        self._make_menus()
        self._connect()
        self._follow_undo()
        self._tell_choices()

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
        """Take in what the keys and the status row need."""
        self._heading = frame.heading
        self.playback.show_frame(frame)
        self.status.show_notice(frame.notice)

    def say(self, sentence: str, topic: str = "") -> None:
        """Show a sentence in the status row, with a link where a topic of the help explains it."""
        self.status.say(sentence, topic)

    def restyle(self, theme: Theme) -> None:
        """Show the window in another theme, while the run goes on."""
        self.theme = theme
        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_theme(app, theme)
        for part in (self.views, self.board, self.transport, self.side, self.overlay, self.cards):
            part.restyle(theme)
        self.restyled.emit(theme)

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        self.closed.emit()
        super().closeEvent(event)

    @guarded
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_file(event.mimeData()) is not None:
            event.acceptProposedAction()

    @guarded
    def dropEvent(self, event: QDropEvent) -> None:
        path = dropped_file(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.desk.drop(path)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape, where no part of the window has taken it."""
        if event.key() == Qt.Key.Key_Escape:
            self.board.escape()
        else:
            super().keyPressEvent(event)

    def shut_down(self) -> None:
        """Let go of graphics while their contexts still live, and of what was said, which has a timer."""
        self.status.clearMessage()
        self.cards.shut_down()
        self.board.shutdown()
        self.views.shutdown()

    def toggle(self) -> None:
        """Play or pause."""
        self.playback.toggle()

    def restart(self) -> None:
        """Play from the start."""
        self.playback.restart()

    def lay_out_anew(self) -> None:
        """The layout of a first start."""
        self.splitter.setSizes([WIDTH, 790, 786])
        self.board.wish({})
        self.board.arranger.reset()
        self.views.forget_wishes()
        self.side.open_sections(OPEN_AT_FIRST)
        self.side.lane_list.show_numbers(True)

    def _lay_out(self) -> None:
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        for part, stretch in ((self.side, 0), (self.views, 10), (self.board, 10)):
            self.splitter.addWidget(part)
            self.splitter.setStretchFactor(self.splitter.count() - 1, stretch)
        self.lay_out_anew()
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.recovery)
        column.addWidget(self.stack, 1)
        run = QWidget()
        self.stack.addWidget(run)
        rows = QVBoxLayout(run)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self.splitter, 1)
        rows.addWidget(self.transport)
        self.setCentralWidget(centre)
        self.setStatusBar(self.status)
        self.status.insertPermanentWidget(1, self.old)
        # A click beside a field takes the focus out of it: what was typed is taken in, and keys play again.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()  # or Qt would give the focus, and with it the keys, to the first button
        open_at(self, 1600, 900)

    def _make_menus(self) -> None:
        for title, keys in GROUPS.items():
            menu = self.menus[title] = self.menuBar().addMenu(tr(title))
            if title == "View":
                items = menu.addMenu(tr("Items"))
                items.aboutToShow.connect(lambda items=items: fill_items(items, self.views))
            for key in keys:
                menu.addAction(self.actions_[key.action])
                if key.action == "open":
                    recent = menu.addMenu(tr("Open recent"))
                    recent.aboutToShow.connect(lambda recent=recent: self.desk.fill_recent(recent))
        for what in LESSON_DOINGS[1:]:
            self.actions_[f"lesson_{what}"].setEnabled(False)  # until there is a lesson
        self.addActions(list(self.actions_.values()))  # keys work without the menu bar too

    def _connect(self) -> None:
        send: Callable[[Command], None] = self.command.emit
        self.board.seek_requested.connect(lambda time: send(Seek(time)))
        self.transport.seek_requested.connect(lambda time: send(Seek(time)))
        self.transport.step_requested.connect(lambda samples: send(Step(samples)))
        self.transport.speed_requested.connect(self.playback.set_speed)
        self.transport.loop_requested.connect(lambda on: send(SetLoop(on)))
        self.transport.restart_requested.connect(self.restart)
        self.transport.toggle_requested.connect(self.toggle)
        self.transport.backward_requested.connect(self.playback.toggle_backward)
        for part in (self.transport, self.board):
            part.range_requested.connect(self.playback.select)
        self.board.loop_requested.connect(self.playback.loop_range)
        self.board.problem.connect(lambda sentence: self.say(sentence, FAULT))
        self.board.said.connect(self.say)
        self.views.problem.connect(
            lambda sentence: self.say(sentence, DISPLAY if "OpenGL" in sentence else FAULT)
        )
        self.views.sequence = lambda: self.board.choices.option(SEQUENCE)
        self.board.choices.changed.connect(self.views.renew)
        self.views.changed.connect(self._follow_views)
        self._follow_views()
        self.cards.pointed.connect(lambda at: self.views.set_highlight(at.quantity if at is not None else ""))
        self.cards.pointed.connect(self.board.set_highlight)
        self.side.lane_list.equations_wanted.connect(self.cards.open)
        self.side.picker.said.connect(self.say)
        self.side.picker.open_wanted.connect(self.desk.ask_open)
        self.desk.said.connect(self.say)
        self.recovery.restore_wanted.connect(self.desk.restore)
        self.setAcceptDrops(True)
        self.side.undo.clicked.connect(self._editor.stack.undo)
        self.side.redo.clicked.connect(self._editor.stack.redo)
        self.side.look.clicked.connect(self._next_theme)
        self.side.help.clicked.connect(lambda: open_topic(""))
        self._editor.refused.connect(self.say)
        self._editor.forgot.connect(self.say)
        self.laboratory.command.connect(self.command)
        self.laboratory.said.connect(self.say)
        self.laboratory.hashes_wanted.connect(self.hashes_wanted)
        self.experiment.add_more = lambda menu: add_range(menu, self.board)

    def _doings(self) -> dict[str, Callable[[], object]]:
        """What each action of `keys.GROUPS` does."""
        picker = self.side.picker
        return {
            **self.playback.doings(),
            **doings_of_axis(self.board, self.say),
            "toggle": self._press_or_toggle,
            "mark_back": lambda: self._to_mark(-1),
            "mark_forward": lambda: self._to_mark(1),
            "start_page": self.start_page_wanted.emit,
            "gallery": picker.show_gallery,
            **self.desk.doings(),
            "quit": self.close,
            "undo": self._editor.stack.undo,
            "redo": self._editor.stack.redo,
            "fit": self.views.fit,
            **{name: partial(self.views.look, name) for name in DIRECTIONS},
            "from_body": lambda: self.views.set_from_body(not self.views.current.from_body),
            **{f"views_{number}": partial(self.views.set_number, number) for number in NUMBERS},
            "each": lambda: self.views.set_each(not self.views.plan.each),
            "link": lambda: self.views.set_linked(not self.views.plan.linked),
            "next_view": self.views.activate_next,
            "copy": lambda: self.board.copy_values(),
            **self.laboratory.doings(),
            "magnify": lambda: self.magnifier.step(1),
            "magnify_less": lambda: self.magnifier.step(-1),
            "difference": lambda: self.board.set_difference(not self.board.difference),
            "equations": self.cards.open,
            "study": self.study_wanted.emit,
            **{f"lesson_{what}": partial(self.lesson_wanted.emit, what) for what in LESSON_DOINGS},
            **{f"export_{what}": partial(self.export_wanted.emit, what) for what in EXPORTS},
            "theme": self._next_theme,
            "full_screen": lambda: self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen),
            "help": lambda: open_topic(""),
            "keys": self.overlay.toggle,
            "first_steps": self.tour_wanted.emit,
        }

    def _follow_views(self) -> None:
        """Check in the menu what the views show."""
        plan = self.views.plan
        checks = {f"views_{number}": plan.number == number for number in NUMBERS}
        for name, on in (checks | {"each": plan.each, "link": plan.linked}).items():
            self.actions_[name].setCheckable(True)
            self.actions_[name].setChecked(on)
        for name in ("each", "link", "next_view"):
            self.actions_[name].setEnabled(plan.number > 1)

    def _follow_undo(self) -> None:
        """Say in menu and tool tips what undo and redo would do."""
        stack = self._editor.stack
        for action, button, word, can, text in (
            (self.actions_["undo"], self.side.undo, tr("Undo"), stack.canUndo, stack.undoText),
            (self.actions_["redo"], self.side.redo, tr("Redo"), stack.canRedo, stack.redoText),
        ):

            def follow(
                _: int = 0,
                action: QAction = action,
                button: QAbstractButton = button,
                word: str = word,
                can: Callable[[], bool] = can,
                text: Callable[[], str] = text,
            ) -> None:
                said = f"{word} {text()}".strip()
                action.setText(said)
                action.setEnabled(can())
                button.setEnabled(can())
                button.setToolTip(f"{said} ({action.shortcut().toString().replace('+', ' ')})")

            stack.indexChanged.connect(follow)
            follow()

    def _tell_choices(self) -> None:
        """What lane list and timeline show depends on choices of the board and on edits."""
        scrubber = self.transport.scrubber
        self.side.lane_list.reference = lambda: self.board.choices.reference
        scrubber.sequence = lambda: self.board.choices.option(SEQUENCE)
        self._editor.clock = lambda: self._heading
        self._editor.stack.indexChanged.connect(lambda _: scrubber.show_edits(edits(self._editor)))

    def _press_or_toggle(self) -> None:
        """Space plays and pauses, but where the Tab key has led to a button it presses that."""
        focused = self.focusWidget()
        if isinstance(focused, QAbstractButton):
            focused.click()
        elif isinstance(focused, QComboBox):
            focused.showPopup()
        else:
            self.toggle()

    def _to_mark(self, direction: int) -> None:
        """Put the cursor on the next mark: an event, an edit, a lane's end, a jump of coordinates."""
        time = self.transport.scrubber.mark_beside(direction)
        if time is None:
            self.say(
                tr("There is no mark {side} the cursor", side=tr("after") if direction > 0 else tr("before"))
            )
        else:
            self.command.emit(Seek(time))

    def _next_theme(self) -> None:
        names = list(THEMES)
        self.restyle(THEMES[names[(names.index(self.theme.name) + 1) % len(names)]])
