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
from quatviz.base.formatting import format_number
from quatviz.base.parameters import quote_value
from quatviz.base.registry import PluginPackage
from quatviz.base.translation import tr
from quatviz.base.version import __version__
from quatviz.display.view_state.session import Session, format_session
from quatviz.display.view_state.view_state import ViewState
from quatviz.files.preset import Preset
from quatviz.files.preset_reading import format_preset
from quatviz.physics.events import EVENTS
from quatviz.physics.formulations import FORMULATIONS, lane_title
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.loads import LOADS
from quatviz.physics.loads.base import Load
from quatviz.physics.observables.quantities import QUANTITIES, Quantity
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.physics.observables.recording import Recording
from quatviz.simulation.diagnostics import accuracy_verdict
from quatviz.simulation.history import DiskBuffer, allocate_rows
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Progress, Simulation, ignore_progress

DEFAULT_QUANTITIES = ("p", "omega", "h", "energy", "constraint", "constraint_rate", "lam", "lam_theory")
SETTINGS_KEYS = ("preset", "versions", "lanes", "part")
"""What every format carries beside the numbers."""

_ROWS_PER_BLOCK = 20_000
"""Rows computed between two words about progress."""


@dataclass(frozen=True)
class TableSelection:
    """What of a run goes into a table. `quantities` are names of `physics.observables.quantities.QUANTITIES`; those that only
    few lanes have are there for those lanes, whatever was chosen. `lanes` are names, None for all. Rows from `low` to `high`
    [s], `every` so many samples."""

    quantities: Sequence[str] = DEFAULT_QUANTITIES
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
                found=quote_value(self.every), remedy="leave it out for all", key="every", topic="scripting#tables",
            )  # fmt: skip
        for key, time in (("start", self.low), ("stop", self.high)):
            if isinstance(time, bool) or not isinstance(time, Real) or math.isnan(time):
                raise InputError(
                    "the times of the table", expected="a number [s]", found=quote_value(time),
                    remedy="leave it out for the whole run", key=key, topic="scripting#tables",
                )  # fmt: skip


def describe_selection(selection: TableSelection, run: Simulation) -> str:
    """How much a part of a run is, and what of it is not there yet."""
    lanes, high = selection.lanes or (), min(selection.high, run.duration)
    rows = round((high - selection.low) / run.interval) + 1
    columns = 1 + len(lanes) * sum(len(QUANTITIES[name].columns) for name in selection.quantities)
    text = tr("{rows:,} rows of {columns} columns", rows=rows, columns=columns).replace(",", "\u202f")
    text += ", " + tr("t = {low} to {high} s", low=format_number(selection.low), high=format_number(high))
    unfinished = [lane_title(lane.name) for lane in run if lane.name in lanes and run.missing(lane)]
    if unfinished:
        text += tr("; {missing} still computing: what is there by then", missing=", ".join(unfinished))
    return f"{text}."


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
    def attributes(self) -> dict[str, str]:
        """What a reader has to know: `title`, `unit` (empty: dimensionless), `frame` (body, space or empty)."""
        return {"title": self.quantity.title, "unit": self.quantity.unit, "frame": self.quantity.frame}


TIME_ATTRIBUTES = {"title": "Time", "unit": "s", "frame": ""}


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
    progress: Progress = ignore_progress

    @classmethod
    def from_run(
        cls,
        run: Simulation,
        selection: TableSelection | None = None,
        progress: Progress = ignore_progress,
        view_state: ViewState | None = None,
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
        >>> table = Table.from_run(run, TableSelection(quantities=["omega"]))
        >>> [name for name, values in table.columns[0].scalars], table.t.tolist()
        (['newton_euler:omega_1', 'newton_euler:omega_2', 'newton_euler:omega_3'], [0.0, 0.01, 0.02])
        """
        selection = selection or TableSelection()
        for name in selection.lanes or ():
            names = [lane.name for lane in run]
            refuse_unknown_name(name, names, "the lanes of the table", "lanes", number="some")
        lanes = [lane for lane in run if selection.lanes is None or lane.name in selection.lanes]
        start = math.ceil(min(max(selection.low, 0.0), run.duration + run.interval) / run.interval - 1e-6)
        length = max((lane.samples for lane in lanes), default=0)
        if selection.high < math.inf:
            length = min(length, math.floor(max(selection.high, -run.interval) / run.interval + 1e-6) + 1)
        length = max(length, start)
        columns: list[Column] = []
        rooms: list[DiskBuffer] = []
        for number, lane in enumerate(lanes):

            def lane_progress(share: float, number: int = number) -> None:
                progress(0.5 * (number + share) / len(lanes))

            columns += _lane_columns(lane, selection, start, length, rooms, lane_progress)
        t = np.arange(start, length, selection.every) * run.interval
        settings = {
            "preset": preset_text(Session(run.preset.with_run(duration=run.duration), view_state)),
            "versions": json.dumps(versions(run.preset, selection.quantities)),
            "lanes": json.dumps(list(map(_lane_record, lanes))),
            "part": json.dumps(_selection_record([lane.name for lane in lanes], selection, t)),
        }

        def write_progress(share: float) -> None:
            _release_memory(rooms)
            progress(0.5 + 0.5 * share)

        return cls(t, columns, settings, write_progress)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray], settings: dict[str, str]) -> Self:
        """The table that a file holds as arrays by name: `t`, and a `lane:quantity` (n, k) or each of its components. KeyError
        where `settings` name what is not there, ValueError where rows or components are lacking."""
        part = json.loads(settings["part"])
        columns = []
        for lane in part["lanes"]:
            named = [name for name in part["quantities"] if name in QUANTITIES]
            for quantity in map(QUANTITIES.__getitem__, dict.fromkeys([*named, *QUANTITIES])):
                name = f"{lane}:{quantity.name}"
                parts = [f"{lane}:{column}" for column in quantity.columns]
                if quantity.counted:
                    present = sum(part_name in arrays for part_name in parts)
                    count = arrays[name].shape[-1] if name in arrays else present
                    quantity, parts = quantity.with_count(count), parts[: max(count, 1)]
                if name in arrays and arrays[name].ndim == 2:
                    columns.append(Column(lane, quantity, arrays[name]))
                elif all(component_name in arrays for component_name in parts):
                    values = np.stack([arrays[component_name] for component_name in parts], axis=1)
                    columns.append(Column(lane, quantity, values))
                elif quantity.name in part["quantities"]:
                    raise KeyError(name)
        for column in columns:
            if column.values.shape != (arrays["t"].size, len(column.quantity.columns)):
                raise ValueError(f"{column.name} has {column.values.shape} values, t {arrays['t'].shape}")
        return cls(arrays["t"], columns, settings)

    def select(self, selection: TableSelection) -> Self:
        """A part of it. `InputError` for what is not in it."""
        for quantity in selection.quantities:
            known = dict.fromkeys(column.quantity.name for column in self.columns)
            refuse_unknown_name(quantity, known, "the quantities of the table", "quantities", number="some")
        slack = 1e-9 * (1.0 + abs(self.t[-1])) if len(self.t) else 0.0
        rows = np.flatnonzero((self.t >= selection.low - slack) & (self.t <= selection.high + slack))[
            :: selection.every
        ]
        columns = [
            Column(column.lane, column.quantity, column.values[rows])
            for column in self.columns
            if column.quantity.name in selection.quantities
            and (selection.lanes is None or column.lane in selection.lanes)
        ]
        t = self.t[rows]
        lane_records = [
            record
            for record in json.loads(self.settings["lanes"])
            if selection.lanes is None or record["name"] in selection.lanes
        ]
        names = [str(record["name"]) for record in lane_records]
        settings = {
            **self.settings,
            "lanes": json.dumps(lane_records),
            "part": json.dumps(_selection_record(names, selection, t)),
        }
        return replace(self, t=t, columns=columns, settings=settings)


def _selection_record(lanes: Sequence[str], selection: TableSelection, t: np.ndarray) -> dict[str, object]:
    """What is told of the part that is in a table."""
    ends = t[[0, -1]].tolist() if len(t) else []
    return {"lanes": lanes, "quantities": list(selection.quantities), "from_to": ends}


def _lane_record(lane: LaneRun) -> dict[str, object]:
    """What is told of a lane beside its columns."""
    return {
        "name": lane.name,
        "status": lane.status,
        "message": lane.message,
        "accuracy_warning": accuracy_verdict(lane).message,
        "formulation": lane.formulation.id,
        "integrator": "" if lane.formulation.has_closed_form else lane.integrator.name,
        "dt": lane.dt,
        "steps": lane.steps,
        "seconds": lane.seconds,
        "end": lane.computed_to,
        "ended_at": lane.ended_at,
        "events": lane.event_log,
        "digest": lane.digest,
    }


def preset_text(session: Session) -> str:
    """The session; or, behind hashes, why there is no text that would repeat the run, and what of it a text can say."""
    try:
        return format_session(session)
    except InputError as refusal:
        loads = _named_loads(session.preset.loads)
        lanes = [
            replace(lane, recording=ReadOptions(file="of a script"))
            if isinstance(lane.recording, Recording)
            else replace(lane, loads=_named_loads(lane.loads))
            for lane in session.preset.lanes
        ]
        partial_text = format_preset(replace(session.preset, loads=loads, lanes=lanes))
        return "\n".join(
            (f"{NO_PRESET_PREFIX}{refusal.found}", *(f"# {line}" for line in partial_text.splitlines()))
        )


def _named_loads(loads: Iterable[Load]) -> list[Load]:
    """The loads that a text can name."""
    return [load for load in loads if LOADS.get(load.name) is type(load)]


NO_PRESET_PREFIX = "# no text repeats this run: "
"""How a preset begins that lacks what a script has given."""


def involved_packages(preset: Preset, quantities: Sequence[str] = ()) -> list[PluginPackage]:
    """The installed packages that add to quatviz and take part in a run of the preset, or have given one of these quantities."""
    loads = [
        *preset.all_loads,
        *(load for event in preset.events for load in getattr(event, "loads", None) or ()),
    ]
    taking_part: list[tuple[Any, Iterable[str | None]]] = [
        (FORMULATIONS, (lane.formulation.partition("/")[0] for lane in preset.lanes)),
        (INTEGRATORS, (preset.run.integrator, *(lane.integrator for lane in preset.lanes))),
        (LOADS, (load.name for load in loads)),
        (EVENTS, (event.name for event in preset.events)),
        (QUANTITIES, quantities),
    ]
    packages = {registry.plugin_package(name) for registry, names in taking_part for name in names}
    return sorted(packages - {None})


def versions(preset: Preset, quantities: Sequence[str] = ()) -> dict[str, str]:
    """What decides about the last bits of a run: the program, its compiler and libraries, the machine, and the packages from
    outside that took part."""
    libraries = {name: version(name) for name in ("numpy", "numba", "llvmlite")}
    return {
        "quatviz": __version__,
        "python": platform.python_version(),
        **libraries,
        **dict(involved_packages(preset, quantities)),
        "machine": f"{platform.system()} {platform.machine()}",
    }


def _release_memory(rooms: Iterable[DiskBuffer]) -> None:
    for room in rooms:
        room.release_all()


def _lane_columns(
    lane: LaneRun,
    selection: TableSelection,
    start: int,
    stop: int,
    disk_buffers: list[DiskBuffer],
    progress: Progress,
) -> list[Column]:
    """Columns of a lane, computed in blocks: NaN in the rows that it has not, all of them where its kernels
    are not there yet, which lambda would wait for. Where they are long, `disk_buffers` takes what they are in."""
    first = lane.motion(stop=1)
    rare_values = {
        name: quantity.column_values(first) for name, quantity in QUANTITIES.items() if quantity.rare
    }
    present = [name for name, values in rare_values.items() if not np.isnan(values[:1]).all()]
    names = dict.fromkeys([*selection.quantities, *present])
    chosen = [QUANTITIES[name].present_in(first) for name in names]
    rows = len(range(start, stop, selection.every))
    widths = [len(quantity.symbols) for quantity in chosen]
    buffer, disk = allocate_rows(rows * sum(widths), 1, rows * sum(widths))
    disk_buffers += [disk] if disk is not None else []
    buffer.fill(np.nan)
    ends = rows * np.cumsum(widths, dtype=int)
    values = [
        buffer[end - rows * width : end, 0].reshape(rows, width)
        for end, width in zip(ends, widths, strict=True)
    ]
    last = min(stop, lane.samples if lane.prepared else 0)
    filled = 0
    at_once = selection.every * max(_ROWS_PER_BLOCK // selection.every, 1)
    for begin in range(start, last, at_once):
        progress((begin - start) / (last - start))
        end = min(begin + at_once, last)
        motion = lane.motion(begin, end)
        for quantity, column in zip(chosen, values, strict=True):
            block = quantity.column_values(motion)[:: selection.every]
            column[filled : filled + len(block)] = block
        filled += len(range(begin, end, selection.every))
    _release_memory(disk_buffers)
    return [Column(lane.name, quantity, column) for quantity, column in zip(chosen, values, strict=True)]
