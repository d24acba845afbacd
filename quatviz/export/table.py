"""A run as a table: one row per sample, every lane beside the others, and all that is needed to repeat it."""

import json
import math
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from numbers import Integral, Real
from typing import Any, Self

import numpy as np

from quatviz.base.errors import InputError, refuse_unknown_name
from quatviz.base.formatting import number_text
from quatviz.base.parameters import shown
from quatviz.base.registry import Package
from quatviz.base.translation import tr
from quatviz.base.version import __version__
from quatviz.display.view_state.session import Session, format_session
from quatviz.display.view_state.view_state import Look
from quatviz.files.preset import Preset
from quatviz.files.preset_reading import format_preset
from quatviz.physics.events import EVENTS
from quatviz.physics.formulations import FORMULATIONS, lane_title
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.loads import LOADS
from quatviz.physics.observables.quantities import QUANTITIES, Quantity
from quatviz.physics.observables.read_options import Reading
from quatviz.physics.observables.recording import Recording
from quatviz.simulation.history import DiskRoom, room_for
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Progress, Simulation, unheard

QUANTITIES_OF_A_TABLE = ("p", "omega", "h", "energy", "constraint", "constraint_rate", "lam", "lam_theory")
SETTINGS = ("preset", "versions", "lanes", "part")
"""What every format carries beside the numbers."""

_ROWS_AT_ONCE = 20_000
"""Rows computed between two words about progress."""


@dataclass(frozen=True)
class Part:
    """What of a run goes into a table. `quantities` are names of `motion.observables.QUANTITIES`; those that only few lanes
    have are there for those lanes, whatever was chosen. `lanes` are names, None for all. Rows from `low` to `high` [s], `every`
    so many samples."""

    quantities: Sequence[str] = QUANTITIES_OF_A_TABLE
    lanes: Sequence[str] | None = None
    low: float = 0.0
    high: float = math.inf
    every: int = 1

    def __post_init__(self) -> None:
        for name in self.quantities:
            refuse_unknown_name(name, QUANTITIES, "the quantities of the table", "quantities", number="some")
        if isinstance(self.every, bool) or not isinstance(self.every, Integral) or self.every < 1:
            raise InputError(
                "the rows of the table", expected="every sample, or every so many: a whole number from 1",
                found=shown(self.every), remedy="leave it out for all", key="every", topic="scripting#tables",
            )  # fmt: skip
        for key, time in (("start", self.low), ("stop", self.high)):
            if isinstance(time, bool) or not isinstance(time, Real) or math.isnan(time):
                raise InputError(
                    "the times of the table", expected="a number [s]", found=shown(time),
                    remedy="leave it out for the whole run", key=key, topic="scripting#tables",
                )  # fmt: skip


def words_of(part: Part, run: Simulation) -> str:
    """How much a part of a run is, and what of it is not there yet."""
    lanes, high = part.lanes or (), min(part.high, run.duration)
    rows = round((high - part.low) / run.interval) + 1
    columns = 1 + len(lanes) * sum(len(QUANTITIES[name].columns) for name in part.quantities)
    told = tr("{rows:,} rows of {columns} columns", rows=rows, columns=columns).replace(",", "\u202f")
    told += ", " + tr("t = {low} to {high} s", low=number_text(part.low), high=number_text(high))
    late = [lane_title(lane.name) for lane in run if lane.name in lanes and run.missing(lane)]
    if late:
        told += tr("; {missing} still computing: what is there by then", missing=", ".join(late))
    return f"{told}."


@dataclass(frozen=True)
class Column:
    """One quantity of one lane: `values` (n, k) in SI units, NaN in the rows after the lane ended."""

    lane: str
    quantity: Quantity
    values: np.ndarray

    @property
    def name(self) -> str:
        """`lane:quantity`, for formats that hold arrays."""
        return f"{self.lane}:{self.quantity.name}"

    @property
    def scalars(self) -> Iterator[tuple[str, np.ndarray]]:
        """Name `lane:quantity_i` and values (n,) of each component, for formats that hold plain columns."""
        for index, column in enumerate(self.quantity.columns):
            yield f"{self.lane}:{column}", self.values[:, index]

    @property
    def notes(self) -> dict[str, str]:
        """What a reader has to know: `title`, `unit` (empty: dimensionless), `frame` (body, space or empty)."""
        return {"title": self.quantity.title, "unit": self.quantity.unit, "frame": self.quantity.frame}


TIME_NOTES = {"title": "Time", "unit": "s", "frame": ""}


@dataclass(frozen=True)
class Table:
    """Times `t` (n,) [s], the columns of every lane, and `settings`, four texts that every format carries:

    `preset`, the TOML text of a preset or a session that repeats the run, with all that was overridden in place;
    `versions`, JSON, what computed it; `lanes`, JSON, a list of name, status, message and so on; `part`, JSON, which lanes,
    quantities and times are here.
    Whoever writes it calls `progress` with the share that is written.
    """

    t: np.ndarray
    columns: Sequence[Column]
    settings: dict[str, str]
    progress: Progress = unheard

    @classmethod
    def of(
        cls, run: Simulation, part: Part | None = None, progress: Progress = unheard, look: Look | None = None
    ) -> "Table":
        """The table of `run` as far as it is computed, or a part of it; half of the work is to compute it. With a look it
        keeps the session, which opens as that has it. What is long waits on disk, as the states of a run do, and leaves memory
        whenever a lane is computed and whenever a share is written.

        >>> from quatviz.physics.mechanics.body import Body
        >>> from quatviz.physics.mechanics.initial import Initial
        >>> from quatviz.files.preset import Preset
        >>> start = Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, 2, 1])
        >>> preset = Preset(body=Body(inertia=[1, 2, 3]), initial=start)
        >>> run = Simulation(preset.with_run(lanes=["newton_euler"], duration=0.02))
        >>> run.complete()
        >>> table = Table.of(run, Part(quantities=["omega"]))
        >>> [name for name, values in table.columns[0].scalars], table.t.tolist()
        (['newton_euler:omega_1', 'newton_euler:omega_2', 'newton_euler:omega_3'], [0.0, 0.01, 0.02])
        """
        part = part or Part()
        for name in part.lanes or ():
            names = [lane.name for lane in run]
            refuse_unknown_name(name, names, "the lanes of the table", "lanes", number="some")
        lanes = [lane for lane in run if part.lanes is None or lane.name in part.lanes]
        start = math.ceil(min(max(part.low, 0.0), run.duration + run.interval) / run.interval - 1e-6)
        length = max((lane.samples for lane in lanes), default=0)
        if part.high < math.inf:
            length = min(length, math.floor(max(part.high, -run.interval) / run.interval + 1e-6) + 1)
        length = max(length, start)
        columns: list[Column] = []
        rooms: list[DiskRoom] = []
        for number, lane in enumerate(lanes):

            def told(share: float, number: int = number) -> None:
                progress(0.5 * (number + share) / len(lanes))

            columns += _columns_of(lane, part, start, length, rooms, told)
        t = np.arange(start, length, part.every) * run.interval
        settings = {
            "preset": text_of(Session(run.preset.with_run(duration=run.duration), look)),
            "versions": json.dumps(versions(run.preset, part.quantities)),
            "lanes": json.dumps(list(map(_told, lanes))),
            "part": json.dumps(_part([lane.name for lane in lanes], part, t)),
        }

        def written(share: float) -> None:
            _leave_memory(rooms)
            progress(0.5 + 0.5 * share)

        return cls(t, columns, settings, written)

    @classmethod
    def read(cls, arrays: Mapping[str, np.ndarray], settings: dict[str, str]) -> Self:
        """The table that a file holds as arrays by name: `t`, and a `lane:quantity` (n, k) or each of its components. KeyError
        where `settings` name what is not there, ValueError where rows or components are lacking."""
        part = json.loads(settings["part"])
        columns = []
        for lane in part["lanes"]:
            named = [name for name in part["quantities"] if name in QUANTITIES]
            for quantity in map(QUANTITIES.__getitem__, dict.fromkeys([*named, *QUANTITIES])):
                name = f"{lane}:{quantity.name}"
                parts = [f"{lane}:{column}" for column in quantity.columns]
                if name in arrays and arrays[name].ndim == 2:
                    columns.append(Column(lane, quantity, arrays[name]))
                elif all(each in arrays for each in parts):
                    values = np.stack([arrays[each] for each in parts], axis=1)
                    columns.append(Column(lane, quantity, values))
                elif quantity.name in part["quantities"]:
                    raise KeyError(name)
        for column in columns:
            if column.values.shape != (arrays["t"].size, len(column.quantity.columns)):
                raise ValueError(f"{column.name} has {column.values.shape} values, t {arrays['t'].shape}")
        return cls(arrays["t"], columns, settings)

    def chosen(self, part: Part) -> Self:
        """A part of it. `InputError` for what is not in it."""
        for quantity in part.quantities:
            known = dict.fromkeys(column.quantity.name for column in self.columns)
            refuse_unknown_name(quantity, known, "the quantities of the table", "quantities", number="some")
        slack = 1e-9 * (1.0 + abs(self.t[-1])) if len(self.t) else 0.0
        rows = np.flatnonzero((self.t >= part.low - slack) & (self.t <= part.high + slack))[:: part.every]
        columns = [
            Column(column.lane, column.quantity, column.values[rows])
            for column in self.columns
            if column.quantity.name in part.quantities and (part.lanes is None or column.lane in part.lanes)
        ]
        t = self.t[rows]
        told = [
            one
            for one in json.loads(self.settings["lanes"])
            if part.lanes is None or one["name"] in part.lanes
        ]
        names = [str(one["name"]) for one in told]
        settings = {**self.settings, "lanes": json.dumps(told), "part": json.dumps(_part(names, part, t))}
        return replace(self, t=t, columns=columns, settings=settings)


def _part(lanes: Sequence[str], part: Part, t: np.ndarray) -> dict[str, object]:
    """What is told of the part that is in a table."""
    ends = t[[0, -1]].tolist() if len(t) else []
    return {"lanes": lanes, "quantities": list(part.quantities), "from_to": ends}


def _told(lane: LaneRun) -> dict[str, object]:
    """What is told of a lane beside its columns."""
    return {
        "name": lane.name,
        "status": lane.status,
        "message": lane.message,
        "formulation": lane.formulation.id,
        "integrator": "" if lane.formulation.closed_form else lane.integrator.name,
        "dt": lane.dt,
        "steps": lane.steps,
        "seconds": lane.seconds,
        "end": lane.computed_to,
        "ended_at": lane.ended_at,
        "events": lane.happened,
        "digest": lane.digest,
    }


def text_of(session: Session) -> str:
    """The session; or, behind hashes, why there is no text that would repeat the run, and what of it a text can say."""
    try:
        return format_session(session)
    except InputError as refusal:
        loads = [load for load in session.preset.loads if LOADS.get(load.name) is type(load)]
        lanes = [
            replace(lane, recording=Reading(file="of a script"))
            if isinstance(lane.recording, Recording)
            else lane
            for lane in session.preset.lanes
        ]
        rest = format_preset(replace(session.preset, loads=loads, lanes=lanes))
        return "\n".join((f"{NO_TEXT}{refusal.found}", *(f"# {line}" for line in rest.splitlines())))


NO_TEXT = "# no text repeats this run: "
"""How a preset begins that lacks what a script has given."""


def packages(preset: Preset, quantities: Sequence[str] = ()) -> list[Package]:
    """The installed packages that add to quatviz and take part in a run of the preset, or have given one of these quantities."""
    loads = [
        *preset.loads,
        *(load for event in preset.events for load in getattr(event, "loads", None) or ()),
    ]
    taking_part: list[tuple[Any, Iterable[str | None]]] = [
        (FORMULATIONS, (lane.formulation.partition("/")[0] for lane in preset.lanes)),
        (INTEGRATORS, (preset.run.integrator, *(lane.integrator for lane in preset.lanes))),
        (LOADS, (load.name for load in loads)),
        (EVENTS, (event.name for event in preset.events)),
        (QUANTITIES, quantities),
    ]
    found = {registry.package(name) for registry, names in taking_part for name in names}
    return sorted(found - {None})


def versions(preset: Preset, quantities: Sequence[str] = ()) -> dict[str, str]:
    """What decides about the last bits of a run: the program, its compiler and libraries, the machine, and the packages from
    outside that took part."""
    libraries = {name: version(name) for name in ("numpy", "numba", "llvmlite")}
    return {
        "quatviz": __version__,
        "python": platform.python_version(),
        **libraries,
        **dict(packages(preset, quantities)),
        "machine": f"{platform.system()} {platform.machine()}",
    }


def _leave_memory(rooms: Iterable[DiskRoom]) -> None:
    for room in rooms:
        room.rest()


def _columns_of(
    lane: LaneRun, part: Part, start: int, stop: int, rooms: list[DiskRoom], progress: Progress
) -> list[Column]:
    """Columns of a lane, computed in blocks: NaN in the rows that it has not, all of them where its kernels
    are not there yet, which lambda would wait for. Where they are long, `rooms` takes what they are in."""
    first = lane.motion(stop=1)
    rare = {name: quantity.of(first) for name, quantity in QUANTITIES.items() if quantity.rare}
    present = [name for name, values in rare.items() if not np.isnan(values[:1]).all()]
    chosen = [QUANTITIES[name] for name in dict.fromkeys([*part.quantities, *present])]
    rows = len(range(start, stop, part.every))
    widths = [len(quantity.symbols) for quantity in chosen]
    room, disk = room_for(rows * sum(widths), 1, rows * sum(widths))
    rooms += [disk] if disk is not None else []
    room.fill(np.nan)
    ends = rows * np.cumsum(widths, dtype=int)
    values = [
        room[end - rows * width : end, 0].reshape(rows, width)
        for end, width in zip(ends, widths, strict=True)
    ]
    last = min(stop, lane.samples if lane.prepared else 0)
    filled = 0
    at_once = part.every * max(_ROWS_AT_ONCE // part.every, 1)
    for begin in range(start, last, at_once):
        progress((begin - start) / (last - start))
        end = min(begin + at_once, last)
        motion = lane.motion(begin, end)
        for quantity, column in zip(chosen, values, strict=True):
            found = quantity.of(motion)[:: part.every]
            column[filled : filled + len(found)] = found
        filled += len(range(begin, end, part.every))
    _leave_memory(rooms)
    return [Column(lane.name, quantity, column) for quantity, column in zip(chosen, values, strict=True)]
