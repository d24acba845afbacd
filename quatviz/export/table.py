"""A run as a table: one row per sample, with the columns of all lanes and the settings needed to repeat the run."""

import json
import math
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Self

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

if TYPE_CHECKING:
    import xarray

DEFAULT_QUANTITIES = ("p", "omega", "h", "energy", "constraint", "constraint_rate", "lam", "lam_theory")
SETTINGS_KEYS = ("preset", "versions", "lanes", "part")
"""Names of the settings that every format stores in addition to the numbers."""

_ROWS_PER_BLOCK = 20_000
"""Number of rows computed between two progress reports."""


@dataclass(frozen=True)
class TableSelection:
    """The part of a run that goes into a table.

    Parameters
    ----------
    quantities
        Names in `physics.observables.quantities.QUANTITIES`. Rare quantities (`Quantity.rare`) are always included for
        the lanes that have them.
    lanes
        Names of the lanes; None for all.
    low, high
        Time range [s].
    every
        Stride of the samples.
    """

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
                "the rows of the table", expected="the stride of the samples: a whole number from 1",
                found=quote_value(self.every), remedy="leave it out for all", key="every", topic="scripting#tables",
            )  # fmt: skip
        for key, time in (("start", self.low), ("stop", self.high)):
            if isinstance(time, bool) or not isinstance(time, Real) or math.isnan(time):
                raise InputError(
                    "the times of the table", expected="a number [s]", found=quote_value(time),
                    remedy="leave it out for the whole run", key=key, topic="scripting#tables",
                )  # fmt: skip


def describe_selection(selection: TableSelection, run: Simulation) -> str:
    """Return a text that states the size of a selection, and which of its lanes are still being computed."""
    lanes, high = selection.lanes or (), min(selection.high, run.duration)
    rows = round((high - selection.low) / run.interval) + 1
    columns = 1 + len(lanes) * sum(len(QUANTITIES[name].columns) for name in selection.quantities)
    text = tr("{rows:,} rows of {columns} columns", rows=rows, columns=columns).replace(",", "\u202f")
    text += ", " + tr("t = {low} to {high} s", low=format_number(selection.low), high=format_number(high))
    unfinished = [lane_title(lane.name) for lane in run if lane.name in lanes and run.missing(lane)]
    if unfinished:
        text += tr(
            "; {missing} still computing: the file gets only the rows computed by then",
            missing=", ".join(unfinished),
        )
    return f"{text}."


@dataclass(frozen=True)
class Column:
    """One quantity of one lane. `values` (n, k) are in SI units, with NaN in rows after an early end of the lane."""

    lane: str
    quantity: Quantity
    values: np.ndarray

    @property
    def name(self) -> str:
        """Name of the column in formats that store arrays: `lane:quantity`."""
        return f"{self.lane}:{self.quantity.name}"

    @property
    def scalars(self) -> Iterator[tuple[str, np.ndarray]]:
        """Names `lane:quantity_i` and values (n,) of all components, for formats that store plain columns."""
        for index, column in enumerate(self.quantity.columns):
            yield f"{self.lane}:{column}", self.values[:, index]

    @property
    def attributes(self) -> dict[str, str]:
        """Metadata of the column: `title`, `unit` and `frame`. The unit is "" if dimensionless; the frame is "body", "space"
        or ""."""
        return {"title": self.quantity.title, "unit": self.quantity.unit, "frame": self.quantity.frame}


COMPONENT_SUFFIX = "_component"
"""Suffix that is appended to the name of a quantity to name the dimension of its components in an xarray data set."""
TIME_ATTRIBUTES = {"title": "Time", "unit": "s", "frame": ""}


@dataclass(frozen=True)
class Table:
    """A run, or a part of a run, as a table: times `t` (n,) [s], columns of all lanes, and four texts in
    `settings`.

    `preset` is the TOML text of a preset or session that repeats the run, with all overrides; `versions` is JSON with
    the software that computed it; `lanes` is JSON with name, status, message and more of each lane; `part` is JSON with
    the lanes, quantities and times in the table. `progress` is a function that writers call with the completed
    fraction.
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
        """Build the table of the computed part of `run`, or of a selection.

        Parameters
        ----------
        selection
            Quantities, lanes and times; None for all samples of the default quantities.
        progress
            Function that is called with the completed fraction. Building the table is the first half, writing it
            the second.

        Examples
        --------
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
        """Build a table from the arrays of a file by name: `t` (n,), and for each quantity `lane:quantity` (n, k)
        or an array (n,) for each component.

        Raises
        ------
        KeyError
            If an array that `settings` list is missing.
        ValueError
            If an array has the wrong shape.
        """
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

    def as_xarray(self) -> "xarray.Dataset":
        """Return a data set with one variable for each quantity. Its dimensions are `lane`, `t` [s] and the components.

        Attributes have the names of the CF conventions, with which xarray labels the axes of plots. The settings are
        attributes of the data set.
        """
        import xarray

        names = list(dict.fromkeys(column.lane for column in self.columns))
        variables: dict[str, Any] = {}
        for number, quantity in enumerate(
            quantities := list(dict.fromkeys(c.quantity for c in self.columns))
        ):
            self.progress(number / len(quantities))
            values = np.full((len(names), len(self.t), len(quantity.columns)), np.nan)
            for column in self.columns:
                if column.quantity == quantity:
                    values[names.index(column.lane)], notes = column.values, column.attributes
            notes = {**notes, "units": quantity.unit, "long_name": quantity.title}
            axes = ["lane", "t", f"{quantity.name}{COMPONENT_SUFFIX}"][: 2 + (len(quantity.columns) > 1)]
            variables[quantity.name] = (axes, values if len(axes) == 3 else values[..., 0], notes)
            if len(axes) == 3:
                variables[axes[2]] = ([axes[2]], list(quantity.columns))
        dataset = xarray.Dataset(
            variables, {"lane": names, "t": ("t", self.t, {"units": "s", "long_name": "Time"})}, self.settings
        )
        return dataset.set_coords([name for name in variables if name.endswith(COMPONENT_SUFFIX)])

    def select(self, selection: TableSelection) -> Self:
        """Return the part of the table that `selection` describes.

        Raises
        ------
        InputError
            If the table lacks one of the quantities.
        """
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
    """Return the content of the setting `part`: the lanes, quantities and times in the table."""
    ends = t[[0, -1]].tolist() if len(t) else []
    return {"lanes": lanes, "quantities": list(selection.quantities), "from_to": ends}


def _lane_record(lane: LaneRun) -> dict[str, object]:
    """Return the entry of a lane in the setting `lanes`: name, status, message, method and end."""
    return {
        "name": lane.name,
        "status": lane.status,
        "message": lane.message,
        "accuracy_warning": accuracy_verdict(lane).message,
        "formulation": lane.formulation.id,
        "integrator": "" if lane.formulation.has_closed_form else lane.solver.segment.integrator.name,
        "dt": lane.solver.segment.dt,
        "steps": lane.solver.steps,
        "seconds": lane.solver.seconds,
        "end": lane.computed_to,
        "ended_at": lane.ended_at,
        "events": lane.event_log,
        "digest": lane.digest,
    }


def preset_text(session: Session) -> str:
    """Return the text of a preset or session that repeats the run.

    If no text can repeat the run, return comments that begin with the reason.
    """
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
    """Return the loads whose types are registered. Other loads cannot be written to a text."""
    return [load for load in loads if LOADS.get(load.name) is type(load)]


NO_PRESET_PREFIX = "# no text repeats this run: "
"""Beginning of the comment that replaces the preset text if a script created parts of the run that no preset can
describe."""


def involved_packages(preset: Preset, quantities: Sequence[str] = ()) -> list[PluginPackage]:
    """Return the plug-in packages that define parts of the preset or one of the `quantities`."""
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
    """Return the versions of everything that may affect the rounding errors of a run: program, libraries, machine, and
    plug-in packages in use."""
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
    """Compute the columns of a lane in blocks. Rows after the end of the lane are NaN.

    All rows are NaN if the kernels of the lane are not compiled yet, because the columns of λ need them. Long columns
    are stored on disk; their buffers are added to `disk_buffers`.
    """
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
