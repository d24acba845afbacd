"""Listeners that store the displayed state of the run, for actions and for saving."""

from dataclasses import replace

from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.document.document import Document
from quatviz.display.panels.base.time_axis import round_time
from quatviz.display.view_state.choices import ANGLE_RANGE_CHOICE, SEQUENCE_CHOICE, SIGN_CHOICE
from quatviz.display.view_state.view_state import ViewState
from quatviz.physics.observables.jumps import FLIP, SINGULAR, WRAP
from quatviz.ui.plots.board import PlotBoard
from quatviz.ui.scene.view_grid import SceneViewGrid


class ShownRun:
    """Listener that stores the last frame of the run, so that actions and files can use its state."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.frame: Frame | None = None
        """The displayed frame, or None before the first."""

    def start(self, source: ColumnSource) -> None:
        """Do nothing. The last frame of the previous run is kept until the first frame of the new run arrives."""

    def show_frame(self, frame: Frame) -> None:
        """Keep the frame."""
        self.frame = frame

    @property
    def loops(self) -> bool:
        """True if playback continues at the start when it reaches the end."""
        return self.frame is not None and self.frame.loop

    @property
    def speed(self) -> float:
        """Absolute playback speed [s of motion per s], 0 before the first frame."""
        return 0.0 if self.frame is None else abs(self.frame.speed)

    @property
    def view_state(self) -> ViewState:
        """The current view state. It includes the lane styles of the document and the playback state."""
        document, frame = self._document, self.frame
        state = replace(document.view.state, lanes=document.state.lane_styles)
        if frame is None:
            return state
        return replace(
            state,
            cursor=round_time(frame.target_time),
            speed=frame.speed,
            loop=frame.loop,
            selected=tuple(round_time(time) for time in frame.selected or ()),
        )


class VisibleAngles:
    """Visible Euler angles and coordinate jumps, which the timeline marks."""

    def __init__(self, board: PlotBoard, views: SceneViewGrid) -> None:
        self._board, self._views = board, views

    def sequence(self) -> str:
        """Return the chosen sequence of Euler angles if a panel or the gimbals show its angles. Otherwise return ""."""
        is_shown = self._views.is_visible("gimbals") or self._shows_panel("euler_angles", "det_s")
        return self._board.choices.option(SEQUENCE_CHOICE) if is_shown else ""

    def jump_causes(self) -> set[int]:
        """Return the causes of the coordinate jumps that the timeline marks.

        Singularities are always marked. Wraps of angles and sign flips of p are marked only if a visible panel draws them as
        jumps.
        """
        option = self._board.choices.option
        wraps = self._shows_panel("euler_angles") and option(ANGLE_RANGE_CHOICE) == "wrapped"
        flips = self._shows_panel("euler_parameters") and option(SIGN_CHOICE) != "continuous"
        return {SINGULAR} | ({WRAP} if wraps else set()) | ({FLIP} if flips else set())

    def _shows_panel(self, *panels: str) -> bool:
        return any(panel.name in panels for panel in self._board.panels)
