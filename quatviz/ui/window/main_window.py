"""The window: where its parts are, and what its keys and menus do. How the run is shown is a value of the document's view store,
which each part follows by itself."""

from collections.abc import Sequence
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
from quatviz.base.help_topics import DISPLAY_TOPIC, INTERNAL_ERROR_TOPIC
from quatviz.base.translation import tr, translated_error
from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.data.frame_builder import RunListener
from quatviz.display.data.redraws import Redraws
from quatviz.display.document.document import Document, UndoStep
from quatviz.display.panels.base.time_axis import round_time
from quatviz.display.view_state.choices import ANGLE_RANGE_CHOICE, SEQUENCE_CHOICE, SIGN_CHOICE
from quatviz.display.view_state.theme import THEMES, Theme
from quatviz.display.view_state.view_state import (
    OVERVIEW_DIVISION,
    PLOTS_WIDTH,
    SIDE_WIDTH,
    VIEWS_WIDTH,
    ViewState,
    has_same_choices,
)
from quatviz.files.preset import Preset
from quatviz.physics.geometry.meshes import MESH_SUFFIXES
from quatviz.physics.observables.jumps import FLIP, SINGULAR, WRAP
from quatviz.simulation.commands import ClearRange, RunnerCommand, Seek, SetRange, Toggle
from quatviz.teaching.help.actions import Menu
from quatviz.teaching.lessons.presentation import Votes
from quatviz.ui.plots.board import PlotBoard, add_range_actions
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.scene.view_grid import MagnificationBox, SceneViewGrid
from quatviz.ui.sidebar.column import SideColumn
from quatviz.ui.tools.cards.window import EquationWindow
from quatviz.ui.tools.export.exporter import Exporter
from quatviz.ui.transport.transport_bar import TransportBar
from quatviz.ui.widgets.actions import ActionRegistry
from quatviz.ui.widgets.focus import next_tab_stop, scroll_into_view
from quatviz.ui.widgets.layouts import column, make_splitter, wrap_layout
from quatviz.ui.widgets.scrolling import set_tab_order_from_layout
from quatviz.ui.widgets.search_popup import SearchPopup
from quatviz.ui.widgets.style import Themed, apply_theme, set_own_theme
from quatviz.ui.widgets.windows import set_initial_size
from quatviz.ui.window.command_palette import all_entries
from quatviz.ui.window.experiment_controller import ExperimentController
from quatviz.ui.window.file_actions import FileActions, dropped_files
from quatviz.ui.window.key_overlay import KeyOverlay
from quatviz.ui.window.recovery import RecoveryBar
from quatviz.ui.window.save_dialog import UnsavedChangesDialog
from quatviz.ui.window.status_row import Narrator, StatusRow

_PALETTE_WIDTH, _PALETTE_ROWS = 640, 11
"""Of the palette: pixels, and entries that are seen at once."""


class WindowTools:
    """What the window opens beside itself: this one opens nothing, which is for a window that is only painted."""

    exporter: Exporter
    """Of the window, where a person can ask it for anything."""

    @property
    def scale(self) -> int:
        """Size of everything [%]."""
        return 100

    @property
    def is_presenting(self) -> bool:
        """Whether a lesson is presented."""
        return False

    def show_run(self) -> None:
        """Show the run, if the start page stands in its place."""

    def toggle_start_page(self) -> None:
        """Show the start page, or the run."""

    def open_tool(self, name: str, *arguments: Any) -> Any:
        """Show the window of a registered tool: see `quatviz.ui.tools`."""

    def open_files(self, paths: Sequence[Path]) -> Sequence[Path]:
        """Open files in the tools that open such files; return those that none opens."""
        return paths

    def start_tour(self) -> None:
        """Lead through the window."""

    def present_lesson(self, path: Path) -> None:
        """Present the lesson of a file, or say why that cannot be."""

    def choose_lesson(self) -> None:
        """Let a person choose a lesson."""

    def control_lesson(self, command: str) -> None:
        """In the lesson that is presented: "next", "back", "votes", "room", "pointer", "leave"."""

    @property
    def in_presentation_mode(self) -> bool:
        """Whether a lesson is shown to a lecture room."""
        return False

    def undoable_votes(self, undo: bool) -> Votes | None:
        """Votes of a lesson, where the last step that can be taken back, or else be done again, is theirs."""
        return None

    def set_scale(self, scale: int) -> None:
        """Show everything at this size [%], now and from the next start on."""

    def reset_view(self) -> None:
        """Look and layout of a first start."""


class MainWindow(Themed, QMainWindow):
    """The parts of the window, which know nothing of each other. It shows frames and emits commands. `table` are the acts that
    are done to it (`ui.window.actions`), and `tools` what it opens beside itself."""

    command = Signal(object)
    """A `simulation.commands.RunnerCommand` that a person asked for."""
    closed = Signal()
    _side_width = SIDE_WIDTH
    """Width of the side column as it was chosen; it has more where its words need more."""

    def __init__(
        self,
        document: Document,
        table: Sequence[Menu[Any]],
        tools: WindowTools | None = None,
        theme: Theme | None = None,
    ) -> None:
        """`theme` is one of its own, for a window that is only painted; others wear that of the application."""
        super().__init__()
        self._has_own_theme = theme is not None
        if theme is not None:
            set_own_theme(self, theme)
        self._closes_without_saving = False
        self.document, self.store = document, document.view
        """`store` has the view state that the parts show."""
        self.store.update(theme=self.theme.name)
        self.tools = tools or WindowTools()
        self.action_registry: ActionRegistry[Any] = ActionRegistry(
            table, self, lambda action: None if action.keeps_start_page else self.tools.show_run(), self
        )
        redraws = Redraws()
        self.views = SceneViewGrid(
            action_registry=self.action_registry, sequence=self._sequence, store=self.store, redraws=redraws
        )
        self.views.setAccessibleName(tr("3D views"))
        self.board = PlotBoard(self.action_registry, store=self.store, redraws=redraws)
        self.axis, self.choices = self.board.axis, self.board.choices
        self.transport = TransportBar(
            self.action_registry, self.send, self.visible_sequence, self._visible_jump_causes, redraws
        )
        self.transport.time_refused.connect(self.explain)
        self.side = SideColumn(document, self.action_registry, lambda: self.choices.reference, redraws)
        self.magnifier = MagnificationBox(
            self.views,
            f"{self.action_registry.shortcut_text('magnify')}, {self.action_registry.shortcut_text('magnify_less')}",
        )
        self.views.host_control(self.magnifier)
        self.experiments = self._make_experiments()
        self.vertical_splitter = make_splitter(stretch_index=0, orientation=Qt.Orientation.Vertical)
        self.equation_window = EquationWindow(self, self.vertical_splitter, self.store)
        self.file_actions = self._make_file_actions()
        self.recovery_bar = RecoveryBar()
        self.key_overlay = KeyOverlay(self, table)
        prompt = tr("Find acts, presets, lessons, panels and help")
        self.command_palette = SearchPopup(self, tr("Find anything"), prompt, _PALETTE_ROWS)
        self.frame: Frame | None = None
        self._last_step: UndoStep | None = None
        """The step that led to what is shown."""
        self._last_focus: QWidget | None = None
        """What had the keys before the window got them."""
        self.menus: dict[str, QMenu] = {}
        self._run_message: tuple[str, Preset | None] = "", None
        self._error_message = ""
        self.status, self.narrator = StatusRow(self, self.views), Narrator(self)
        self._lay_out()
        self._make_menus()
        self._connect()
        if theme is not None:
            set_own_theme(self, theme)  # all parts are there now

    def _make_experiments(self) -> ExperimentController:
        return ExperimentController(
            self.document,
            self,
            self.views,
            self.choices,
            self.transport.scrubber,
            self.send,
            self.action_registry,
            lambda menu: add_range_actions(menu, self.board),
        )

    @property
    def scene(self) -> SceneView:
        """The first of the 3D views, which lasts as long as the window."""
        return self.views.first_view

    @property
    def listeners(self) -> tuple[RunListener, ...]:
        """Every part that follows the run, this window included."""
        side = self.side
        return (
            *(
                self,
                self.narrator,
                self.experiments,
                self.views,
                self.board,
                self.transport,
                self.equation_window,
            ),
            *(side.lane_list, side.setup, side.readouts),
        )

    def start(self, source: ColumnSource) -> None:
        """A run begins; the window itself shows nothing of it before the first frame."""

    def show_frame(self, frame: Frame) -> None:
        """Take in what the acts and the status row need."""
        self.frame = frame
        self.status.show_notice(frame.notice)

    @property
    def tour_targets(self) -> dict[str, QWidget]:
        """What the sections of the help's first steps are about, by their slugs."""
        return {
            "one-motion-many-ways": self.views,
            "the-body-in-3d": self.views,
            "one-cursor-for-everything": self.transport,
            "the-lanes": self.side.sections["Lanes"],
            "the-curves": self.board,
            "choose-another-motion": self.side.picker,
            "change-it": self.side.setup,
            "where-to-find-help": self.side.help_button,
        }

    @property
    def view_state(self) -> ViewState:
        """The view state, with how the lanes of the document look and where the run is."""
        state, frame = replace(self.store.state, lanes=self.document.state.lane_styles), self.frame
        if frame is None:
            return state
        return replace(
            state,
            cursor=round_time(frame.target_time),
            speed=frame.speed,
            loop=frame.loop,
            selected=tuple(round_time(time) for time in frame.selected or ()),
        )

    @property
    def lesson_active(self) -> bool:
        """True while a lesson has the window: what is shown then is not the user's choice."""
        return not self.store.is_recording

    def _apply_view_change(self, old: ViewState, new: ViewState) -> None:
        """Show what no part of the window shows by itself. The parts have shown their changes already."""
        wanted_scroll = self.store.state.scrolled
        if new.theme != self.theme.name:
            self._apply_theme(THEMES[new.theme])
        if (new.division, new.overview) != (old.division, old.overview) or (
            new.splitter != old.splitter and not (new.division or new.overview)
        ):
            self.restore_widths()
        if new.scrolled != old.scrolled and wanted_scroll != self._scroll_shares:
            self.scroll_to(wanted_scroll)
        if new.follow != old.follow or new.theme != old.theme or not has_same_choices(old, new):
            self.action_registry.refresh()

    def scroll_to(self, shares: Sequence[float]) -> None:
        """Scroll side column and plots down to these fractions of their heights."""
        for bar, share in zip(self._scroll_bars, shares, strict=False):
            bar.setValue(round(share * bar.maximum()))

    @property
    def _scroll_bars(self) -> tuple[QScrollBar, QScrollBar]:
        return self.side.verticalScrollBar(), self.board.scroll_bar

    @property
    def _scroll_shares(self) -> tuple[float, ...]:
        return tuple(min(bar.value() / max(bar.maximum(), 1), 1.0) for bar in self._scroll_bars)

    def restore_widths(self) -> None:
        """Give the parts the widths that the run wants, or the user's, or those of a first start, but while a lesson has the
        window. In a window of another width the side column keeps its own, and views and plots share the remaining width."""
        if self.lesson_active:
            return
        state = self.store.state
        self._side_width, *others = (
            (OVERVIEW_DIVISION if state.overview else state.division)
            or state.splitter
            or (SIDE_WIDTH, VIEWS_WIDTH, PLOTS_WIDTH)
        )
        self._resize_parts(others)

    def _resize_parts(self, others: list[int]) -> None:
        side, splitter = self._side_width, self.splitter
        if splitter.isVisible():
            remaining = max(sum(splitter.sizes()) - side, 1)
            others = [round(remaining * width / max(sum(others), 1)) for width in others]
        else:  # behind the start page it has no room yet, and would make three of a kind of what it has
            splitter.resize(side + sum(others), splitter.height())
        splitter.setSizes([side, *others])

    def _shrink_side(self) -> None:
        """Give the side column no more than was chosen, once its words need no more: larger type may have widened it."""
        side, *others = self.splitter.sizes()[-3:]
        if not self.lesson_active and side > max(self._side_width, self.side.minimumSizeHint().width()):
            self._resize_parts(others)

    def _store_widths(self, _: int, handle: int) -> None:
        """A splitter handle was dragged. Widths that a run wants, and a lesson's, are not the user's."""
        if self.lesson_active:
            return
        widths = self.splitter.sizes()
        if handle == self.splitter.indexOf(self.views):
            self._side_width = widths[0]
        if not (self.store.state.division or self.store.state.overview):
            self.store.update(splitter=(self._side_width, *widths[1:]))

    def show_message(self, message: str, topic: str = "") -> None:
        """Show a sentence in the status row, with a link where a topic of the help explains it."""
        self.status.show_message(message, topic)
        self.narrator.announce(message)

    def _show_run_message(self, message: str, topic: str) -> None:
        self._run_message = message, self.document.state.preset
        self.show_message(message, topic)

    def explain(self, refusal: InputError | None) -> None:
        """Say there why something cannot be; None takes back what was said so last."""
        if refusal is None:
            self.status.clear_message(self._error_message)
            return
        refusal = translated_error(refusal)
        self._error_message = f"{refusal.place}: {refusal.found}; {refusal.remedy}"
        self.show_message(self._error_message, refusal.topic)

    def show_theme(self, theme: Theme) -> None:
        """Show everything in another theme, while the run goes on."""
        self.store.update(theme=theme.name)
        if theme != self.theme:
            self._apply_theme(theme)

    def _apply_theme(self, theme: Theme) -> None:
        app = QApplication.instance()
        if self._has_own_theme:
            set_own_theme(self, theme)
        elif isinstance(app, QApplication):
            apply_theme(app, theme)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self.menuBar().setVisible(not self.isFullScreen())

    def _update_title(self) -> None:
        """Show the title of the run, its file, and whether it differs from that."""
        path, title = self.document.file.path, self.document.state.preset.title.replace("[*]", "[*][*]")
        named = f"{title} ({path.name})" if path is not None else title
        self.setWindowTitle(tr("{title}[*] – quatviz", title=named))
        self.setWindowModified(self.document.is_modified)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close, but ask first if the file of the document has not its last changes. Other work *Continue* restores anyway."""
        path = self.document.unsaved_path
        if path is not None and not self._closes_without_saving:
            event.ignore()
            UnsavedChangesDialog(path.name, self._save_and_close, self.close_without_saving, self).open()
            return
        self.closed.emit()
        super().closeEvent(event)

    def _save_and_close(self) -> None:
        self.file_actions.save_own_run()
        if self.document.unsaved_path is None:
            self.close()

    def close_without_saving(self) -> None:
        """Close, whatever the file of the document lacks."""
        self._closes_without_saving = True
        self.close()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = dropped_files(event.mimeData())
        if paths:
            event.acceptProposedAction()
            self.file_actions.drop(*paths)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape, where no part of the window has taken it."""
        if event.key() == Qt.Key.Key_Escape:
            self.board.escape()
        else:
            super().keyPressEvent(event)

    def shutdown(self) -> None:
        """Let go of graphics while their contexts still live, and of what was said, which has a timer."""
        self.action_registry.detach_host()
        self.status.clear()
        self.equation_window.shutdown()
        self.board.shutdown()
        self.views.shutdown()

    def send(self, *commands: RunnerCommand) -> None:
        """Ask this of the run. What depends on what plays, the run decides: between two frames a person may ask twice."""
        for command in commands:
            self.command.emit(command)

    def _lay_out(self) -> None:
        self.splitter = make_splitter((self.side, 0), (self.views, 0), (self.board, 0), stretch_index=1)
        self.splitter.setStretchFactor(2, 1)
        self.splitter.splitterMoved.connect(self._store_widths)
        self.side.layout_changed.connect(self._shrink_side)
        self.stack = QStackedWidget()
        """The run, and in place of it what else there is: the start page."""
        self.vertical_splitter.insertWidget(0, self.splitter)
        self.restore_widths()
        self.stack.addWidget(wrap_layout(column((self.vertical_splitter, 1), self.transport, gap=0)))
        self.transport.host_control(self.experiments.previous_run)
        self.setCentralWidget(wrap_layout(column(self.recovery_bar, (self.stack, 1), gap=0)))
        # A click beside a field takes the focus out of it: what was typed is taken in, and keys play again.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()  # or Qt would give the focus, and with it the keys, to the first button
        set_initial_size(self, 1600, 900)

    def _make_file_actions(self) -> FileActions:
        return FileActions(
            self.document,
            self.side.picker,
            self,
            lambda: self.view_state,
            {**dict.fromkeys(MESH_SUFFIXES, self.side.load_mesh), ".md": self.tools.present_lesson},
            self.tools.open_files,
            lambda: self.tools.control_lesson("leave"),
        )

    def _sequence(self) -> str:
        return self.choices.option(SEQUENCE_CHOICE)

    def _shows_panel(self, *panels: str) -> bool:
        return any(panel.name in panels for panel in self.board.panels)

    def visible_sequence(self) -> str:
        """The sequence, where a panel or the rings show its angles: marks of what nobody sees would tell nobody anything."""
        is_shown = self.views.is_visible("gimbals") or self._shows_panel("euler_angles", "det_s")
        return self._sequence() if is_shown else ""

    def _visible_jump_causes(self) -> set[int]:
        """Why what is seen jumps: as curves are drawn, angles may wrap or not, and p change its sign or not."""
        option = self.choices.option
        wraps = self._shows_panel("euler_angles") and option(ANGLE_RANGE_CHOICE) == "wrapped"
        flips = self._shows_panel("euler_parameters") and option(SIGN_CHOICE) != "continuous"
        return {SINGULAR} | ({WRAP} if wraps else set()) | ({FLIP} if flips else set())

    def _make_menus(self) -> None:
        for menu in self.action_registry.table:
            self.menus[menu.name] = qmenu = self.action_registry.build_menu(menu, self.menuBar())
            self.menuBar().addMenu(qmenu)
        self.addActions(list(self.action_registry))  # keys work without the menu bar too

    def _connect(self) -> None:
        self.board.seek_requested.connect(lambda time: self.send(Seek(time)))
        self.axis.range_requested.connect(
            lambda selected: self.send(SetRange(*selected) if selected else ClearRange())
        )
        self.board.problem_reported.connect(
            lambda sentence: self.show_message(sentence, INTERNAL_ERROR_TOPIC)
        )
        self.board.status_message.connect(self.show_message)
        self.board.arranger.status_expired.connect(self.status.clear_message)
        self.views.problem_reported.connect(
            lambda sentence: self.show_message(
                sentence, DISPLAY_TOPIC if "OpenGL" in sentence else INTERNAL_ERROR_TOPIC
            )
        )
        self.choices.changed.connect(self.views.refresh)
        self.views.changed.connect(self.action_registry.refresh)
        self.axis.selected_changed.connect(self.action_registry.refresh)
        self.side.setup.initial.orientation_dragged.connect(self.experiments.hold_at_start)
        self.equation_window.pointed.connect(
            lambda at: self.views.set_highlight(at.quantity if at is not None else "")
        )
        self.equation_window.pointed.connect(self.board.set_highlight)
        self.recovery_bar.restore_requested.connect(self.file_actions.restore)
        for bar in self._scroll_bars:
            for signal in (bar.valueChanged, bar.rangeChanged):
                signal.connect(lambda *_: self.store.update(scrolled=self._scroll_shares))
        self.store.changed.connect(self._apply_view_change)
        self.setAcceptDrops(True)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._remember_focus)
        self.document.message_emitted.connect(self._show_run_message)
        self.document.changed.connect(lambda _: self._update_undo_actions())
        self.document.changed.connect(lambda _: self._update_title())
        self.document.saved.connect(self._update_title)
        self._update_title()
        self._update_undo_actions()

    def _update_undo_actions(self) -> None:
        """Say in menus and tool tips what undo and redo would do, and mark edits on the timeline. What was said of a run that is
        another by now, such as of an edit that is undone, holds no longer."""
        message, preset = self._run_message
        if preset is not self.document.state.preset:
            self.status.clear_message(message)
        last, self._last_step = self._last_step, self.document.steps[-1] if self.document.steps else None
        if self._last_step is not None and self._last_step.supersedes(last):
            return  # a hand is at it, and all this was said when it took hold
        self.action_registry.refresh()
        self.transport.scrubber.show_edits(self.document.edit_markers)

    def undo_target(self, redo: bool = False) -> Document | Votes:
        """Where the last step was taken, or, to go `on` again, undone: what undo and redo are done to."""
        return self.tools.undoable_votes(undo=not redo) or self.document

    def click_or_toggle_play(self) -> None:
        """Space plays and pauses, but where the Tab key has led to a button it presses that."""
        focused = self.focusWidget()
        if isinstance(focused, QAbstractButton):
            focused.click()
        elif isinstance(focused, QComboBox):
            focused.showPopup()
        else:
            self.send(Toggle())

    def go_to_marker(self, direction: int) -> None:
        """Put the cursor on the next mark: an event, an edit, a lane's end, a jump of coordinates."""
        time = self.transport.scrubber.adjacent_marker_time(direction)
        if time is None:
            self.show_message(
                tr("There is no mark {side} the cursor", side=tr("after") if direction > 0 else tr("before"))
            )
        else:
            self.command.emit(Seek(time))

    def zoom_to_range(self) -> None:
        """Show the selected times as wide as the plots are."""
        if self.axis.selected is None:
            self.show_message(tr("No times are selected: drag in a plot or on the timeline with Shift"))
        self.axis.show_selected()

    def toggle_follow(self) -> None:
        """Let the plots follow the cursor, or stay where they are."""
        axis = self.axis
        axis.follows_cursor = not axis.follows_cursor
        self.show_message(
            tr("The plots follow the cursor") if axis.follows_cursor else tr("The plots stay where they are")
        )

    def toggle_full_screen(self) -> None:
        """The whole screen, or a window again."""
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def focus_menu_bar(self) -> None:
        """Give the keys to the menu bar; on a full screen, where it is hidden, let it come, or go again."""
        bar = self.menuBar()
        bar.setVisible(not self.isFullScreen() or not bar.isVisible())
        if not bar.isVisible():
            return
        bar.setFocus()
        bar.setActiveAction(bar.actions()[0])

    def focus_part(self, by: int) -> None:
        """Give the keys to the next part of the window, or the one before: to the first in it that Tab reaches."""
        widgets = (
            box.widget(number)
            for box in (self.splitter, self.vertical_splitter)
            for number in range(box.count())
        )
        parts = [
            part
            for part in (*widgets, self.transport)
            if part and part.isVisible() and part is not self.splitter
        ]
        focus = self.focusWidget()
        at = next((number for number, part in enumerate(parts) if part.isAncestorOf(focus or self)), None)
        start = at + by if at is not None else min(by, 0)
        for step in range(len(parts)):
            part = parts[(start + by * step) % len(parts)]
            first = next_tab_stop(part, container=part)
            if first is not None:
                first.setFocus(Qt.FocusReason.TabFocusReason)
                scroll_into_view(first)
                return

    def focusNextPrevChild(self, on: bool) -> bool:
        """Rows of the side column come and go. From the window, to which Escape gives the keys, it goes on from where they were."""
        set_tab_order_from_layout(self.side.parts_layout)
        origin = self._last_focus if self.focusWidget() in (None, self) else None
        neighbor = next_tab_stop(origin, on) if origin is not None and isValid(origin) else None
        if neighbor is not None:
            neighbor.setFocus(Qt.FocusReason.TabFocusReason if on else Qt.FocusReason.BacktabFocusReason)
        elif not super().focusNextPrevChild(on):
            return False
        scroll_into_view(self.focusWidget())
        return True

    def _remember_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is self and old is not None and self.isAncestorOf(old):
            self._last_focus = old

    def find_anything(self) -> None:
        """Let a person find what can be done, shown or read."""
        self.command_palette.open_over(self, all_entries(self.action_registry), _PALETTE_WIDTH)

    def select_next_theme(self) -> None:
        """The theme that comes after the one that is shown."""
        names = list(THEMES)
        self.show_theme(THEMES[names[(names.index(self.theme.name) + 1) % len(names)]])
