"""What the recorded states of a lane mean: its motion, from which every quantity follows."""

import bisect
import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from quatviz.formulations.base import Formulation
from quatviz.integrators.base import Integrator
from quatviz.kernels import blocks
from quatviz.motion.observables import Motion
from quatviz.simulation.history import History
from quatviz.simulation.schedule import Segment
from quatviz.simulation.translation import path_of_centre
from quatviz.text.preset import Preset


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

    def _measured(self, rows: np.ndarray, start: int, segment: Segment) -> np.ndarray:
        """What a kernel makes of them."""
        rows = np.array(rows, order="C")
        rows.flags.writeable = False  # one kind of array, one compiled kernel
        measures = _no_measures(len(rows))
        if self.takes_kernel:
            like = tuple(self._history.rows[0].tolist())
            _measure(segment, start, self._interval, like, rows, measures)
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
        return self._segments[bisect.bisect_right(self._firsts, sample) - 1]

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
