"""Dialog with the checksums of a run. Two runs are bitwise identical if their checksums are equal."""

from html import escape

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QTextEdit, QWidget

from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.physics.formulations import lane_title
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.ui.widgets.buttons import Button
from quatviz.ui.widgets.labels import label
from quatviz.ui.widgets.layouts import column, row
from quatviz.ui.widgets.style import fixed_pitch_font, theme_of
from quatviz.ui.widgets.windows import Dialog, fit_size

_INTRODUCTION = (
    "SHA-256 of every recorded state of each lane. The same run on the same machine with the same versions gives the same hashes: "
    "live, replayed from a file, or by the command"
)
_COMMAND = "quatviz run FILE --hash"
_POLL_INTERVAL_MS = 500
_TEXT_WIDTH = 54
"""Width of the dialog, as a multiple of the type size."""
_DIGITS_PER_GROUP = 8
"""Number of digits in each group of a checksum, for readability."""


class HashDialog(Dialog):
    """Dialog with the name, computed time and checksum of each lane, as text that can be copied. It is updated until all
    lanes are computed."""

    def __init__(self, run: Simulation, parent: QWidget) -> None:
        super().__init__(tr("Checksums"), parent)
        self._run, self._shown_html = run, ""
        command = label("", _COMMAND, word_wrap=False, selectable=True)
        command.setFont(fixed_pitch_font(theme_of(self).normal))
        self.text = QTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(tr("Checksums of the lanes"))
        self.note = label("muted", word_wrap=False)
        self.copy_button = Button(tr("Copy"), lambda: QGuiApplication.clipboard().setText(run.hashes))
        close = Button(tr("Close"), self.accept)
        buttons = row((self.note, 1), self.copy_button, close)
        self.setLayout(
            column(label("", tr(_INTRODUCTION)), command, (self.text, 1), buttons, margins=2 * GRID_UNIT)
        )
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._refresh)
        self._timer.start(_POLL_INTERVAL_MS)
        self._refresh()
        self._fit_size()

    def done(self, result: int) -> None:
        self._timer.stop()
        super().done(result)

    def _fit_size(self) -> None:
        """Make the dialog so wide that a checksum fits on one line, and so high that all lanes are visible, as far as the
        screen allows."""
        width = _TEXT_WIDTH * theme_of(self).small
        self.ensurePolished()  # a style sheet sets the type size
        self.text.document().setTextWidth(width - 6 * GRID_UNIT)
        text_height = round(self.text.document().size().height()) + 2 * self.text.frameWidth()
        layout = self.layout()
        assert layout is not None
        self.text.setMinimumHeight(text_height)
        height = layout.totalMinimumHeightForWidth(width)
        self.text.setMinimumHeight(0)
        self.resize(fit_size(QSize(width, height), self.screen().availableGeometry().size()))

    def _refresh(self) -> None:
        """Show the checksums computed so far. Unchanged rows are not rewritten, because their text may be selected."""
        theme = theme_of(self)
        name_style = "font-weight: 600"
        hash_style = f"font-family: '{fixed_pitch_font(theme.small).family()}'; font-size: {theme.small}px"
        muted_span = f"<span style='color: {theme.muted}'>"
        html = "".join(
            f"<p><span style='{name_style}'>{escape(lane_title(lane.name))}</span> {muted_span}{self._time_reached(lane)}</span>"
            f'<br><span style="{hash_style}">{_group_digits(lane.digest) or tr("no sample computed")}</span></p>'
            for lane in self._run
        )
        if html != self._shown_html:
            self._shown_html = html
            self.text.setHtml(html)
        unfinished, count = sum(self._run.missing(lane) > 0 for lane in self._run), len(self._run.lanes)
        computing = tr("Still computing {remaining} of {count} lanes", remaining=unfinished, count=count)
        self.note.setText(computing if unfinished else tr("All lanes are computed"))
        if not unfinished:
            self._timer.stop()

    def _time_reached(self, lane: LaneRun) -> str:
        progress_text = tr(", still computing") if self._run.missing(lane) else ""
        return tr(
            "computed to {computed_to:.6g} s{progress}", computed_to=lane.computed_to, progress=progress_text
        )


def _group_digits(digits: str) -> str:
    return " ".join(digits[at : at + _DIGITS_PER_GROUP] for at in range(0, len(digits), _DIGITS_PER_GROUP))
