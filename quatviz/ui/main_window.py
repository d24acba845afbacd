"""The window: where its parts stand and which key does what."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QLabel, QMainWindow, QScrollArea, QSplitter, QVBoxLayout, QWidget

from quatviz.simulation.commands import Command, Pause, Play, Seek, SetLoop, SetSpeed, Step
from quatviz.ui.board import PlotBoard
from quatviz.ui.bridge import Listener
from quatviz.ui.frame import Frame, Source
from quatviz.ui.guard import guarded
from quatviz.ui.lane_list import LaneList
from quatviz.ui.preset_card import PresetCard
from quatviz.ui.readouts import ReadOuts
from quatviz.ui.scene.view import SceneView
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.timeline import TransportBar


class MainWindow(QMainWindow):
    """The parts of the window, which know nothing of each other. It shows frames and emits commands."""

    command = Signal(object)
    """A `simulation.commands.Command` that a person asked for."""
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setWindowTitle("quatviz")
        self.scene = SceneView(theme)
        self.board = PlotBoard(theme)
        self.transport = TransportBar(theme)
        self.card = PresetCard(theme)
        self.lane_list = LaneList(theme)
        self.readouts = ReadOuts(theme)
        self._theme = theme
        self._playing = False
        self._duration = 0.0
        self._notice = QLabel()
        self._notice.setObjectName("notice")
        self._headings: list[QLabel] = []
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self._connect()
        self._bind_keys()

    @property
    def listeners(self) -> tuple[Listener, ...]:
        """Every part that follows the run, this window included."""
        return (self, self.scene, self.board, self.transport, self.card, self.lane_list, self.readouts)

    def start(self, source: Source) -> None:
        """A run begins."""
        self.setWindowTitle(f"{source.info.title} – quatviz")

    def show_frame(self, frame: Frame) -> None:
        """Take in what the keys and the status row need."""
        self._playing = frame.playing
        self._duration = frame.duration
        if frame.notice != self._notice.text():
            self._notice.setText(frame.notice)

    def say(self, sentence: str) -> None:
        """Show a sentence in the status row, beside the notice of the moment."""
        self.statusBar().showMessage(sentence, 10_000)

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        self.closed.emit()
        super().closeEvent(event)

    def shut_down(self) -> None:
        """Let go of graphics while their contexts still live."""
        self.board.shutdown()
        self.scene.shutdown()

    def _lay_out(self) -> None:
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        for part, stretch in ((self._side(), 0), (self.scene, 10), (self.board, 10)):
            self.splitter.addWidget(part)
            self.splitter.setStretchFactor(self.splitter.count() - 1, stretch)
        self.splitter.setSizes([310, 800, 810])
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.splitter, 1)
        column.addWidget(self.transport)
        self.setCentralWidget(centre)
        self.statusBar().addPermanentWidget(self._notice)
        self.statusBar().setSizeGripEnabled(False)
        self.resize(1600, 900)

    def _side(self) -> QWidget:
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT)
        column.setSpacing(UNIT)
        column.addWidget(self.card)
        for heading, part in (("Lanes", self.lane_list), ("At the cursor", self.readouts)):
            label = QLabel(heading)
            label.setObjectName("heading")
            self._headings.append(label)
            column.addSpacing(UNIT)
            column.addWidget(label)
            column.addWidget(part)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(side)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setMinimumWidth(280)
        return scroll

    def _connect(self) -> None:
        send: Callable[[Command], None] = self.command.emit
        self.board.seek_requested.connect(lambda time: send(Seek(time)))
        self.transport.seek_requested.connect(lambda time: send(Seek(time)))
        self.transport.step_requested.connect(lambda samples: send(Step(samples)))
        self.transport.speed_requested.connect(lambda factor: send(SetSpeed(factor)))
        self.transport.loop_requested.connect(lambda on: send(SetLoop(on)))
        self.transport.restart_requested.connect(self.restart)
        self.transport.toggle_requested.connect(self.toggle)
        self.board.problem.connect(self.say)
        self.scene.problem.connect(self.say)

    def toggle(self) -> None:
        """Play or pause."""
        self.command.emit(Pause() if self._playing else Play())

    def restart(self) -> None:
        """Play from the start."""
        self.command.emit(Seek(0.0))
        self.command.emit(Play())

    def _bind_keys(self) -> None:
        keys: dict[str, Callable[[], object]] = {
            "Space": self.toggle,
            "Left": lambda: self.command.emit(Step(-1)),
            "Right": lambda: self.command.emit(Step(1)),
            "Shift+Left": lambda: self.command.emit(Step(-10)),
            "Shift+Right": lambda: self.command.emit(Step(10)),
            "Home": lambda: self.command.emit(Seek(0.0)),
            "End": lambda: self.command.emit(Seek(self._duration)),
            "R": self.restart,
            "F": self.scene.fit,
            "F11": self._toggle_full_screen,
            "Ctrl+Q": self.close,
        }
        for key, action in keys.items():
            QShortcut(QKeySequence(key), self).activated.connect(action)

    def _toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
