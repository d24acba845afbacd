"""The main window and its layout.

Actions are in `ui.window.actions`. The view state, which tells how the run is shown, is in the
document's `ViewStore`. Each part of the window follows its changes.
"""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QStackedWidget

from quatviz.base.help_topics import DISPLAY_TOPIC, INTERNAL_ERROR_TOPIC
from quatviz.base.translation import tr
from quatviz.display.data.frame_builder import RunListener
from quatviz.display.data.redraws import Redraws
from quatviz.display.document.document import Document
from quatviz.display.view_state.choices import SEQUENCE_CHOICE
from quatviz.display.view_state.theme import Theme
from quatviz.display.view_state.view_state import ViewState
from quatviz.physics.geometry.meshes import MESH_SUFFIXES
from quatviz.simulation.commands import ClearRange, RunnerCommand, Seek, SetRange
from quatviz.simulation.lane import LaneRun
from quatviz.teaching.help.actions import Menu
from quatviz.ui.plots.board import PlotBoard, add_range_actions
from quatviz.ui.scene.scene_view import SceneView
from quatviz.ui.scene.view_grid import MagnificationBox, SceneViewGrid
from quatviz.ui.sidebar.column import SideColumn
from quatviz.ui.tools.cards.window import EquationWindow
from quatviz.ui.transport.transport_bar import TransportBar
from quatviz.ui.widgets.actions import ActionRegistry
from quatviz.ui.widgets.focus import scroll_into_view
from quatviz.ui.widgets.layouts import column, make_splitter, wrap_layout
from quatviz.ui.widgets.scrolling import set_tab_order_from_layout
from quatviz.ui.widgets.style import Themed, set_own_theme
from quatviz.ui.widgets.windows import set_initial_size
from quatviz.ui.window.action_updater import ActionUpdater
from quatviz.ui.window.command_palette import CommandPalette
from quatviz.ui.window.experiment_controller import ExperimentController
from quatviz.ui.window.file_actions import FileActions, dropped_files
from quatviz.ui.window.key_overlay import KeyOverlay
from quatviz.ui.window.keyboard_focus import KeyboardFocus
from quatviz.ui.window.messages import WindowMessages
from quatviz.ui.window.part_sizes import PartWidths, ScrollPositions
from quatviz.ui.window.recovery import RecoveryBar
from quatviz.ui.window.shown_run import ShownRun, VisibleAngles
from quatviz.ui.window.status_row import Narrator, StatusRow
from quatviz.ui.window.theme_switch import ThemeSwitch
from quatviz.ui.window.unsaved_changes import UnsavedChanges
from quatviz.ui.window.window_tools import WindowTools


class MainWindow(Themed, QMainWindow):
    """The main window. It assembles and connects its parts, shows frames and emits commands.

    Parameters
    ----------
    document
        Document shown by the window.
    table
        Menus and actions (`ui.window.actions`).
    tools
        Dialogs and tool windows opened by the window.
    theme
        Theme of this window alone, for rendering offscreen. None selects the theme of the application.
    """

    command = Signal(object)
    """Emitted with a `simulation.commands.RunnerCommand` that results from an input of the user."""
    closed = Signal()
    geometry_changed = Signal()
    """Emitted when the window was moved or resized."""

    def __init__(
        self,
        document: Document,
        table: Sequence[Menu[Any]],
        tools: WindowTools | None = None,
        theme: Theme | None = None,
    ) -> None:
        super().__init__()
        if theme is not None:
            set_own_theme(self, theme)
        self.document, self.store = document, document.view
        """Document of the window, and its store of the view state that the parts show."""
        self.store.update(theme=self.theme.name)
        self.tools = tools or WindowTools()
        self.action_registry: ActionRegistry[Any] = ActionRegistry(
            table, self, lambda action: None if action.keeps_start_page else self.tools.show_run(), self
        )
        self._make_parts(Redraws())
        self.file_actions = self._make_file_actions()
        self.recovery_bar = RecoveryBar()
        self.key_overlay = KeyOverlay(self, table)
        self.command_palette = CommandPalette(self, self.action_registry)
        self.menus: dict[str, QMenu] = {}
        self.shown_run = ShownRun(document)
        self.status, self.narrator = StatusRow(self, self.views), Narrator(self)
        self.key_overlay.stay_above(self.status)
        self.messages = WindowMessages(document, self.status, self.narrator)
        self._lay_out()
        self._make_menus()
        self._connect_parts()
        self._follow_view_state(has_own_theme=theme is not None)
        self.unsaved_changes = UnsavedChanges(self, document, self.file_actions)
        if theme is not None:
            set_own_theme(self, theme)  # all parts exist now

    def _make_parts(self, redraws: Redraws) -> None:
        registry, store = self.action_registry, self.store
        self.board = PlotBoard(registry, store=store, redraws=redraws, find_lane=self._find_lane)
        self.axis, self.choices = self.board.axis, self.board.choices
        self.views = SceneViewGrid(
            action_registry=registry,
            sequence=lambda: self.choices.option(SEQUENCE_CHOICE),
            store=store,
            redraws=redraws,
        )
        self.views.setAccessibleName(tr("3D views"))
        self.visible_angles = VisibleAngles(self.board, self.views)
        self.transport = TransportBar(
            registry, self.send, self.visible_angles.sequence, self.visible_angles.jump_causes, redraws
        )
        self.side = SideColumn(self.document, registry, lambda: self.choices.reference, redraws)
        keys = f"{registry.shortcut_text('magnify')}, {registry.shortcut_text('magnify_less')}"
        self.magnifier = MagnificationBox(self.views, keys)
        self.views.host_control(self.magnifier)
        self.experiments = ExperimentController(
            self.document,
            self,
            self.views,
            self.choices,
            self.transport.scrubber,
            self.send,
            registry,
            lambda menu: add_range_actions(menu, self.board),
        )
        self.vertical_splitter = make_splitter(stretch_index=0, orientation=Qt.Orientation.Vertical)
        self.equation_window = EquationWindow(self, self.vertical_splitter, store)

    def _find_lane(self, name: str) -> LaneRun | None:
        """Return the lane of the computed run with this name, or None."""
        return next((lane for lane in self.document.simulation if lane.name == name), None)

    @property
    def scene(self) -> SceneView:
        """The first 3D view, which exists as long as the window."""
        return self.views.first_view

    @property
    def view_state(self) -> ViewState:
        """The current view state. It includes the lane styles of the document and the playback state."""
        return self.shown_run.view_state

    @property
    def listeners(self) -> tuple[RunListener, ...]:
        """All parts of the window to which frames of the run are passed."""
        side = self.side
        return (
            *(self.shown_run, self.status, self.narrator, self.experiments, self.views, self.board),
            *(self.transport, self.equation_window, side.lane_list, side.setup, side.readouts),
        )

    def send(self, *commands: RunnerCommand) -> None:
        """Emit these commands to the worker that computes and plays the run.

        A command such as "toggle playback" is resolved by the worker, because several may arrive between two frames.
        """
        for command in commands:
            self.command.emit(command)

    def shutdown(self) -> None:
        """Release OpenGL resources while their contexts still exist, and stop the timer of the status row."""
        self.action_registry.detach_host()
        self.file_actions.shutdown()
        self.status.clear()
        self.equation_window.shutdown()
        self.board.shutdown()
        self.views.shutdown()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self.menuBar().setVisible(not self.isFullScreen())

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.geometry_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.geometry_changed.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.unsaved_changes.confirm_close():
            event.ignore()
            return
        self.closed.emit()
        super().closeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = dropped_files(event.mimeData())
        if paths:
            event.acceptProposedAction()
            self.file_actions.drop(*paths)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the Escape key if no part of the window has handled it."""
        if event.key() == Qt.Key.Key_Escape:
            self.board.escape()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, on: bool) -> bool:
        """Move the focus in the order of the layout, which changes when rows of the side column are added or removed. From
        the window itself, continue at the widget that had the focus before."""
        set_tab_order_from_layout(self.side.parts_layout)
        if not self.keyboard_focus.focus_from_window(on) and not super().focusNextPrevChild(on):
            return False
        scroll_into_view(self.focusWidget())
        return True

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

    def _lay_out(self) -> None:
        self.splitter = make_splitter((self.side, 0), (self.views, 0), (self.board, 0), stretch_index=1)
        self.splitter.setStretchFactor(2, 1)
        self.part_widths = PartWidths(self.splitter, self.side, self.views, self.store)
        self.stack = QStackedWidget()
        """Stacked widget with the displayed run and the start page."""
        self.vertical_splitter.insertWidget(0, self.splitter)
        self.part_widths.restore()
        self.stack.addWidget(wrap_layout(column((self.vertical_splitter, 1), self.transport, gap=0)))
        self.transport.host_control(self.experiments.previous_run)
        self.setCentralWidget(wrap_layout(column(self.recovery_bar, (self.stack, 1), gap=0)))
        self.keyboard_focus = KeyboardFocus(self, (self.splitter, self.vertical_splitter), self.transport)
        # A click beside a field removes its focus, which commits the text and reactivates the shortcuts.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()  # otherwise Qt would focus the first button
        self.setAcceptDrops(True)
        set_initial_size(self, 1600, 900)

    def _make_menus(self) -> None:
        for menu in self.action_registry.table:
            self.menus[menu.name] = qmenu = self.action_registry.build_menu(menu, self.menuBar())
            self.menuBar().addMenu(qmenu)
        self.addActions(list(self.action_registry))  # shortcuts work without the menu bar too

    def _connect_parts(self) -> None:
        """Connect the signals of the window's parts with each other."""
        board, views, messages, registry = self.board, self.views, self.messages, self.action_registry
        board.seek_requested.connect(lambda time: self.send(Seek(time)))
        self.axis.range_requested.connect(
            lambda selected: self.send(SetRange(*selected) if selected else ClearRange())
        )
        board.problem_reported.connect(lambda sentence: messages.show(sentence, INTERNAL_ERROR_TOPIC))
        board.status_message.connect(messages.show)
        board.arranger.status_expired.connect(self.status.clear_message)
        views.problem_reported.connect(
            lambda sentence: messages.show(
                sentence, DISPLAY_TOPIC if "OpenGL" in sentence else INTERNAL_ERROR_TOPIC
            )
        )
        self.transport.time_refused.connect(messages.explain)
        self.transport.status_message.connect(messages.show)
        self.choices.changed.connect(views.refresh)
        views.changed.connect(registry.refresh)
        self.axis.selected_changed.connect(registry.refresh)
        self.side.setup.initial.orientation_dragged.connect(self.experiments.hold_at_start)
        self.equation_window.pointed.connect(
            lambda target: views.set_highlight(target.quantity if target is not None else "")
        )
        self.equation_window.pointed.connect(board.set_highlight)
        self.recovery_bar.restore_requested.connect(self.file_actions.restore)
        picker = self.side.picker
        picker.deleted.connect(lambda deleted: messages.show_deleted(deleted, picker.restore))

    def _follow_view_state(self, has_own_theme: bool) -> None:
        """Connect objects that follow the view state but are not parts of the window. They are notified after the parts."""
        self.theme_switch = ThemeSwitch(self, self.store, has_own_theme)
        self.scroll_positions = ScrollPositions(
            lambda: (self.side.verticalScrollBar(), self.board.scroll_bar), self.store, self
        )
        action_updater = ActionUpdater(self.document, self.action_registry, self.transport.scrubber, self)
        for follower in (self.theme_switch, self.part_widths, self.scroll_positions, action_updater):
            self.store.changed.connect(follower.follow)
