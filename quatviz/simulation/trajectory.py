"""What the recorded states of a lane mean: its motion, from which every quantity follows, and what its steps lead to between
two of them."""

import bisect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from quatviz.files.preset import Preset
from quatviz.physics.formulations.base import Formulation, Solution
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.kernels import blocks
from quatviz.physics.kernels.binder import Dispatched
from quatviz.physics.mechanics.rotations import normalise
from quatviz.physics.observables.quantities import Motion
from quatviz.simulation.center_of_mass_motion import path_of_centre
from quatviz.simulation.history import History
from quatviz.simulation.schedule import Segment

ROWS = 10
"""Rows for each sample, or as near to it as steps fall: a body that goes round half a turn from sample to sample turns by few
degrees between two of these. A lane of few steps is led by shorter ones."""
MOST_STEPS = 1000
"""Steps from sample to sample that are made again at most, longer ones where the lane makes more: whoever looks does not wait, and
in so short a time longer steps are as good."""


class TrajectoryReader:
    """Reads the states in `history`, each with the body, the loads and the parameters of its segment. It writes nothing,
    and any thread may ask it."""

    def __init__(
        self,
        formulation: Formulation,
        integrator: Integrator,
        preset: Preset,
        segments: Sequence[Segment],
        history: History,
    ) -> None:
        self._form, self._integrator = formulation, integrator
        self._interval = preset.run.sample_interval
        self._segments, self._history = segments, history
        self._firsts = [segment.first for segment in segments]
        self._path = path_of_centre(preset, self.between)

    def between(self, start: int = 0, stop: int | None = None) -> Motion:
        """The stretch of samples `start:stop`."""
        rows = self._history.rows[start:stop]
        if len(self._firsts) == 1:
            return self.of(rows, start, self._segments[0])
        cuts = [start, *(first for first in self._firsts if start < first < start + len(rows))]
        parts = [
            self.of(rows[low - start : high - start], low, self._at(low))
            for low, high in zip(cuts, [*cuts[1:], start + len(rows)], strict=True)
        ]
        return joined(parts)

    def at(self, samples: np.ndarray) -> Motion:
        """These samples (n,), which need not follow each other."""
        places = np.searchsorted(self._firsts, samples, "right") - 1
        groups = [np.flatnonzero(places == place) for place in np.unique(places)]
        if len(groups) <= 1:
            return self._picked(samples)
        order = np.argsort(np.concatenate(groups))
        return joined([self._picked(samples[group]) for group in groups], order)

    def of(
        self,
        rows: np.ndarray,
        start: int | np.ndarray,
        segment: Segment,
        measures: Callable[[], np.ndarray] | None = None,
    ) -> Motion:
        """Of states (n, m) of one segment. `start` is the first sample of `rows`, or the sample of each where they do not
        follow each other."""
        samples = start + np.arange(len(rows)) if isinstance(start, int) else start
        first = int(samples[0]) if len(samples) else 0
        # A copy, because a history that grows moves to new memory; by components, as they are computed with.
        rows = rows.copy(order="F")
        form, parameters = self._form, segment.parameters
        p, omega = form.observe(rows, parameters)
        return Motion(
            samples * self._interval,
            p,
            omega,
            body=segment.setting.body,
            loads=segment.setting.loads,
            constraint_rate=form.constraint_rate(rows, parameters),
            measures=measures or (lambda: self.measures(rows, first, segment)),
            totals=form.totals(rows, parameters),
            extras=form.extras(rows, parameters),
            system=lambda: form.system(rows, parameters),
            terms=form.multiplier_terms if form.has_multiplier else None,
            reference=segment.reference,
            path=lambda: self._places(samples),
        )

    def within(self, rows: np.ndarray, first: int, per: int) -> Motion:
        """Of rows (n, k) of which there are so many `per` sample, the first of this number, all of one segment."""
        segment, width = self._at(first // per), len(self._form.state)

        def measures() -> np.ndarray:
            found = self._measured(rows[:, :width], first, segment, self._interval / per)
            return self._with_records(found, rows[:, width:])

        return self.of(rows[:, :width], (first + np.arange(len(rows))) / per, segment, measures)

    def led_to(self, row: np.ndarray, sample: int) -> Motion:
        """Of the recorded row (n,) that led to the events at a sample, by what was in force until then: one row long."""
        segment, width = self._at(sample - 1), len(self._form.state)

        def measures() -> np.ndarray:
            found = self._measured(row[None, :width], sample, segment)
            return self._with_records(found, row[None, width:])

        return self.of(row[None, :width], sample, segment, measures)

    def turned_to(self, p: np.ndarray, place: float) -> Motion:
        """Rows that have these attitudes (n, 4) at a place in samples, and do not turn."""
        setting, count = self._at(math.floor(place)).setting, len(p)
        return Motion(
            np.full(count, place * self._interval), p, np.zeros((count, 3)), body=setting.body, loads=setting.loads,
            constraint_rate=np.zeros(count), measures=lambda: _no_measures(count),
        )  # fmt: skip

    def at_times(self, times: np.ndarray, p: np.ndarray, omega: np.ndarray, sample: int) -> Motion:
        """At times (n,) [s] that need be those of no sample, p (n, 4) as integrated and omega (n, 3) [rad/s, body], within the
        segment of that sample."""
        segment = self._at(sample)
        rows = np.stack([self._form.start(*each, segment.parameters) for each in zip(p, omega, strict=True)])

        def measures() -> np.ndarray:
            found = np.empty((len(rows), 2))
            like = tuple(rows[0].tolist())
            for number, time in enumerate(times.tolist()):
                # The kernel counts in samples: this one is number 1, and as long as its time.
                row = rows[number : number + 1].copy()
                row.flags.writeable = False
                _measure(segment, 1, time, like, row, found[number : number + 1])
            return found

        plain = None if self._form.has_multiplier or self._form.singularity_title else _no_measures(len(rows))
        return self.of(rows, times / self._interval, segment, measures if plain is None else lambda: plain)

    def _places(self, samples: np.ndarray) -> np.ndarray:
        """Position and velocity of the centre of mass (n, 6), by a cubic between two samples."""
        low = np.floor(samples).astype(int)
        share = (samples - low)[:, None]
        start = self._path(low)
        if not share.any():
            return start
        end = self._path(np.minimum(low + 1, len(self._history) - 1))
        rise = end[:, :3] - start[:, :3]
        one, two = self._interval * start[:, 3:] - rise, self._interval * end[:, 3:] - rise
        turn = share * (1.0 - share)
        place = start[:, :3] + share * rise + turn * ((1.0 - share) * one - share * two)
        slope = rise + (1.0 - 2.0 * share) * ((1.0 - share) * one - share * two) - turn * (one + two)
        return np.concatenate((place, slope / self._interval), axis=1)

    def measures(self, rows: np.ndarray, start: int, segment: Segment) -> np.ndarray:
        """(lambda, singularity) (n, 2); only formulations that have either one pay for a kernel."""
        records = self._history.records[start : start + len(rows)]
        return self._with_records(self._measured(rows, start, segment), records)

    def _measured(
        self, rows: np.ndarray, start: int, segment: Segment, interval: float | None = None
    ) -> np.ndarray:
        """What a kernel makes of them, at times that are multiples of an `interval` [s], of samples unless it is given."""
        rows = np.array(rows, order="C")
        rows.flags.writeable = False  # one kind of array, one compiled kernel
        measures = _no_measures(len(rows))
        if self.takes_kernel:
            like = tuple(self._history.rows[0].tolist())
            _measure(segment, start, interval or self._interval, like, rows, measures)
        return measures

    def _with_records(self, measures: np.ndarray, records: np.ndarray) -> np.ndarray:
        """With the lambda that the step has recorded beside the states, where it does."""
        if "lambda" in self._integrator.records:
            measures[:, 0] = records[:, self._integrator.records.index("lambda")]
        return measures

    @property
    def takes_kernel(self) -> bool:
        """Whether lambda or the singularity takes a kernel: lambda does not where the step has recorded it."""
        measured = self._form.has_multiplier and "lambda" not in self._integrator.records
        return measured or bool(self._form.singularity_title)

    def _at(self, sample: int) -> Segment:
        """The segment to which a sample belongs."""
        return self._segments[_number_at(self._segments, sample)]

    def _picked(self, samples: np.ndarray) -> Motion:
        """Samples (n,) of one segment."""
        rows, segment = self._history.rows[samples], self._at(int(samples[0]) if len(samples) else 0)

        def measures() -> np.ndarray:
            each = [
                self.measures(rows[i : i + 1], sample, segment) for i, sample in enumerate(samples.tolist())
            ]
            return np.concatenate([np.empty((0, 2)), *each])

        return self.of(rows, samples, segment, measures)


def joined(parts: Sequence[Motion], order: np.ndarray | None = None) -> Motion:
    """Stretches one after another; `order` (n,) says which of their rows come where."""
    if len(parts) == 1 and order is None:
        return parts[0]
    return cast("Motion", ConcatenatedMotion(parts, order))


def _measure(segment: Segment, *arguments: Any) -> None:
    """`blocks.measure_rows` with the parameters of a segment."""
    blocks.measure_rows.bound(segment.parameters, *arguments)(segment.parameters, *arguments)


def _no_measures(count: int) -> np.ndarray:
    """Of a form with neither a multiplier nor a singularity."""
    return np.tile([np.nan, 1.0], (count, 1))


class ConcatenatedMotion:
    """Every attribute of `Motion`, of all `parts` one after another; `order` (n,) says which of their rows come where."""

    def __init__(self, parts: Sequence[Motion], order: np.ndarray | None = None) -> None:
        self._parts, self._order = tuple(parts), order

    def angles(self, sequence: str) -> np.ndarray:
        return self._joined([part.angles(sequence) for part in self._parts])

    def det_S(self, sequence: str) -> np.ndarray:
        return self._joined([part.det_S(sequence) for part in self._parts])

    def extra(self, name: str) -> np.ndarray:
        return self._joined([part.extra(name) for part in self._parts])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        value = self.__dict__[name] = self._joined([getattr(part, name) for part in self._parts])
        return value

    def _joined(self, values: list[Any]) -> Any:
        first = values[0]
        if isinstance(first, dict):
            return {key: self._joined([value[key] for value in values]) for key in first}
        if not isinstance(first, np.ndarray):
            return first
        rows = np.concatenate(values)
        return rows if self._order is None else rows[self._order]


class Retracing:
    """Makes the steps of a lane again, from one of its samples to another, or asks its closed form. It writes nothing, and any
    thread may ask it.

    A polynomial through samples knows nothing of what is faster than these: of a top that goes round by one radian from one to the
    next, it was off in the fourth digit. The steps that were made between them lead to the same bits when they are made again.
    """

    def __init__(
        self,
        formulation: Formulation,
        segments: Sequence[Segment],
        history: History,
        led: Mapping[int, np.ndarray],
        interval: float,
    ) -> None:
        self._form, self._segments, self._history, self._led = formulation, segments, history, led
        self._interval = interval
        self._kernels: dict[int, Callable[..., Any]] = {}
        self._solutions: dict[int, Solution] = {}
        self.per = self._rows_per_sample()
        """Rows from a sample to the next; 1 where nothing is known between them, as of what was measured."""

    def _rows_per_sample(self) -> int:
        if self._form.closed_form:
            return 1 if self._form.recorded else ROWS
        compiled = all(isinstance(segment.integrator.block, Dispatched) for segment in self._segments)
        kernels = self._form.kernels
        turns_over = kernels is not None and kernels.chart is not None
        if not compiled or (turns_over and not all(map(_own, self._segments))):
            return 1  # Python's steps take too long; others than the lane's go over to other coordinates elsewhere
        common = math.gcd(*map(_steps, self._segments))
        fitting = [count for count in range(1, common + 1) if common % count == 0]
        return min(fitting, key=lambda count: max(count / ROWS, ROWS / count))

    def stretches(self, first: int, stop: int) -> list[tuple[int, np.ndarray]]:
        """The rows first:stop (n, k), each stretch between two events by itself, with the number of its first row."""
        cuts = [cut for at in sorted(self._led) if first < (cut := at * self.per) < stop]
        ends = [*cuts, stop]
        return [
            (low, self._rows(low, high, high + (high != stop)))
            for low, high in zip([first, *cuts], ends, strict=True)
        ]

    def _rows(self, first: int, stop: int, end: int) -> np.ndarray:
        """Rows first:stop, found with those before `end`, between two events."""
        start, last = first // self.per, -(-(end - 1) // self.per)
        stored = self._history.whole[start : last + 1].copy()
        if last > start and last in self._led:
            stored[-1] = self._led[last]
        rows = np.empty(((last - start) * self.per + 1, stored.shape[1]))
        rows[0] = stored[0]
        if len(rows) == 1:
            return rows
        each = self._solved if self._form.closed_form else self._stepped
        afresh = each(start, rows, stored)
        _lead_to(rows, stored, self.per, afresh)
        return rows[first - start * self.per : stop - start * self.per]

    def _stepped(self, start: int, rows: np.ndarray, stored: np.ndarray) -> bool:
        """Fill the rows behind the first one, which is a sample, and tell whether they begin afresh at each sample."""
        number = _number_at(self._segments, start)
        segment = self._segments[number]
        if _own(segment):
            self._make(number, start, rows)
            return False
        # Other steps lead elsewhere: what they are off by must not grow from sample to sample.
        for sample in range(len(stored) - 1):
            within = np.empty((self.per + 1, rows.shape[1]))
            within[0] = stored[sample]
            self._make(number, start + sample, within)
            rows[sample * self.per + 1 : (sample + 1) * self.per + 1] = within[1:]
        return True

    def _make(self, number: int, start: int, rows: np.ndarray) -> None:
        """Fill them by steps from that sample on, with the segment of this number."""
        segment = self._segments[number]
        steps = _steps(segment)
        arguments = (
            segment.integrator.method(self._form),
            segment.parameters,
            segment.projects,
            start * steps,
            steps // self.per,
            steps * len(rows),
            self._interval / steps,
            segment.threshold,
            tuple(rows[0, : len(self._form.state)].tolist()),
            rows[1:],
        )
        kernel = self._kernels.get(number)
        if kernel is None:
            block = segment.integrator.block
            assert isinstance(block, Dispatched)
            kernel = block.bound(*arguments)
            self._kernels[number] = kernel
        made = int(kernel(*arguments)[1]) // self.per * self.per
        rows[made + 1 :] = rows[made]  # what ends before its time is on the line between samples

    def _solved(self, start: int, rows: np.ndarray, _: np.ndarray) -> bool:
        """The same by a closed form."""
        since = max((at for at in self._led if at <= start), default=0)
        if since not in self._solutions:
            segment = self._segments[_number_at(self._segments, since)]
            self._solutions[since] = solution_from(self._form, segment, self._history.rows[since])
        times = (start - since + np.arange(1, len(rows)) / self.per) * self._interval
        rows[1:] = self._solutions[since](times)
        return False


def solution_from(form: Formulation, segment: Segment, state: np.ndarray) -> Solution:
    """The closed form of the motion that goes on from a state (k,); `NoClosedForm` where none is known."""
    setting = segment.setting
    p, omega = form.observe(state[None, :], segment.parameters)
    return form.solution(setting.body, setting.loads, normalise(p[0]), omega[0])


def _number_at(segments: Sequence[Segment], sample: int) -> int:
    """That of the segment to which a sample belongs."""
    return bisect.bisect_right(segments, sample, key=lambda segment: segment.first) - 1


def _steps(segment: Segment) -> int:
    """How many lead from a sample to the next."""
    steps = segment.steps_per_sample
    return min(steps * max(round(0.5 * ROWS / steps), 1), MOST_STEPS)


def _own(segment: Segment) -> bool:
    """Whether these are the lane's own, to the last bit: an adaptive method finds others where it is asked for more rows."""
    return segment.integrator.fixed_step and _steps(segment) == segment.steps_per_sample


def _lead_to(rows: np.ndarray, stored: np.ndarray, per: int, afresh: bool) -> None:
    """Let every one of `per` rows be the one that is `stored`, and mix what they were off by into those between: for the rounding
    of a method that remembers what was before, and for other steps, which begin `afresh` at each."""
    missing = stored - rows[::per]
    if not missing.any():
        return
    share = (np.arange(per) / per)[:, None]
    before = np.zeros_like(missing[:-1]) if afresh else missing[:-1]
    rows[::per] = stored
    inner = rows[:-1].reshape(-1, per, rows.shape[1])
    inner[:, 1:] += (before[:, None] + share * (missing[1:] - before)[:, None])[:, 1:]
