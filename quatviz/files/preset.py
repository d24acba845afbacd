"""What a run is made of: a preset, its settings and its lanes."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.deprecation import FormerName
from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import SAMPLE_INTERVAL, TIME_STEP
from quatviz.base.parameters import Parameterized, from_table, join_key, parameter, quote_value, validate
from quatviz.base.registry import current_name
from quatviz.files.files import copy_mesh, copy_recording, write_text
from quatviz.files.preset_writing import format_preset
from quatviz.physics.events import sample_index
from quatviz.physics.events.base import Event
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.euler_sequences import canonical_sequence
from quatviz.physics.mechanics.initial import Initial
from quatviz.physics.observables.read_options import ReadOptions, to_read_options
from quatviz.physics.observables.recording import Recording
from quatviz.physics.typed_formulations.definition import TypedFormulation, registered_definition

_TOLERANCE = 1e-9
"""Relative: 10 steps of 1e-3 and a sample interval of 0.01 differ by rounding."""

MAX_NAME_LENGTH = 300
"""Characters of a lane's name, which keys and plots measure. A file, after which a lane may be named, has at most 255."""

MAX_TITLE_LENGTH = 5000
"""Characters of a preset's title, which is shown in one line and cut there. The longest of a shipped preset has 37."""

MAX_SPEED = 1000.0
"""Seconds of motion for each second of playing, at most: what a window that shows a session goes up to."""

_IDENTIFIER = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")


def _rtol_parameter(explanation: str) -> Any:
    """A field for rtol; tighter ones would ask for more digits than a float has, and larger ones for none."""
    return parameter(default=None, minimum=1e-14, maximum=0.1, title="rel. tol.", explanation=explanation)


def _atol_parameter(explanation: str) -> Any:
    return parameter(default=None, above=0, title="abs. tol.", explanation=explanation)


@dataclass(frozen=True)
class RunSettings(Parameterized):
    """How long and how finely: times [s], and the integrator of the lanes that name none.

    `dt` divides `sample_interval` (to rounding), so that every lane has a row at each `t_k = k *
    sample_interval`. For an adaptive integrator `dt` is the first step, and no step's estimated error is above `atol` + `rtol` |y|
    in any component y of the state. Where one of the two is not given, `atol` is as large as `rtol`, and `rtol` the
    integrator's own.

    >>> RunSettings(duration=20.0, dt=1e-3, sample_interval=0.01).integrator
    'rk4'
    """

    duration: float = parameter(unit="s", above=0, explanation="simulated time")
    dt: float = parameter(unit="s", above=0, explanation="time step of the lanes that name none")
    sample_interval: float = parameter(unit="s", above=0, explanation="time between recorded states")
    integrator: str = parameter(default="rk4", explanation="integrator of the lanes that name none")
    rtol: float | None = _rtol_parameter("relative tolerance of the adaptive lanes that name none")
    atol: float | None = _atol_parameter("absolute tolerance of the adaptive lanes that name none")

    def __post_init__(self) -> None:
        validate(self)
        _refuse_invalid_identifier(self.integrator, "RunSettings.integrator", "integrator", "rk4")
        object.__setattr__(self, "integrator", current_name("integrators", self.integrator))
        steps_per_sample(self.dt, self.sample_interval)
        if self.sample_interval > self.duration:
            raise InputError(
                "RunSettings.sample_interval",
                expected=phrase("at most the duration, {duration:g} s", duration=self.duration),
                found=f"{self.sample_interval:g} s",
                remedy="sample more often, or run for longer",
                key="sample_interval",
            )


def time_of_sample(sample: int, sample_interval: float) -> float:
    """The time of a sample [s], without the rounding of the product.

    >>> time_of_sample(6, 0.7), 6 * 0.7
    (4.2, 4.199999999999999)
    """
    return float(f"{sample * sample_interval:.12g}")


MAX_STEPS_PER_SAMPLE = 10**11
"""Between two samples: what a run of as many samples as fit into memory has can still be counted."""


def steps_per_sample(dt: float, sample_interval: float, key: str = "dt") -> int:
    """How many steps of `dt` [s] make one `sample_interval` [s]; refused unless that is a whole number.

    >>> steps_per_sample(1e-3, 0.01)
    10
    """
    ratio = sample_interval / dt
    if ratio > MAX_STEPS_PER_SAMPLE:
        raise InputError(
            expected=phrase(
                "at most {most:g} steps between two samples, hours of computing", most=MAX_STEPS_PER_SAMPLE
            ),
            found=f"{ratio:.3g}",
            remedy=phrase("choose a longer {dt}, or a shorter {name}", dt=TIME_STEP, name=SAMPLE_INTERVAL),
            key=key,
        )
    steps = max(1, round(ratio))
    if abs(steps * dt - sample_interval) <= _TOLERANCE * sample_interval:
        return steps
    raise InputError(
        expected=phrase(
            "a time step that divides {name} = {sample_interval:.12g} s",
            name=SAMPLE_INTERVAL,
            sample_interval=sample_interval,
        ),
        found=phrase("{dt:.12g} s, which fits {ratio:.9g} times", dt=dt, ratio=ratio),
        remedy=phrase(
            "write {dt} = {step:.12g}, or {name} = {interval:.12g}",
            dt=TIME_STEP,
            name=SAMPLE_INTERVAL,
            step=sample_interval / max(steps, 1),
            interval=steps * dt,
        ),
        key=key,
    )


_NUMERIC_KEYS = ("dt", "rtol", "atol", "alpha", "beta", "J0")


@dataclass(frozen=True)
class Lane(Parameterized):
    """One formulation with its own integrator, step, tolerances and stabilisation; None is the run's own choice.

    `formulation` is an id such as "hamilton" or "lagrange_full/split". Whether it exists is for the
    simulation to say: the core knows no formulations.

    >>> import quatviz as qv
    >>> coarse = qv.Lane("hamilton", dt=1e-2, stabilisation="project", name="coarse")
    >>> qv.simulate(qv.load_preset("torque_free"), lanes=["hamilton", coarse], duration=0.02)["coarse"].status
    'ok'
    """

    formulation: str = parameter(explanation="formulation, with its variant behind a slash")
    _: KW_ONLY
    integrator: str | None = parameter(default=None, explanation="integrator, if not the run's")
    dt: float | None = parameter(unit="s", default=None, above=0, explanation="time step, if not the run's")
    rtol: float | None = _rtol_parameter("relative tolerance of an adaptive integrator, if not the run's")
    atol: float | None = _atol_parameter("absolute tolerance of an adaptive integrator, if not the run's")
    stabilisation: str | None = parameter(default=None, explanation="what is done to keep |p| = 1")
    alpha: float | None = parameter(
        unit="1/s", default=None, minimum=0, explanation="Baumgarte's damping of the constraint"
    )
    beta: float | None = parameter(
        unit="1/s", default=None, minimum=0, explanation="Baumgarte's stiffness of the constraint"
    )
    J0: float | None = parameter(
        unit="kg m^2",
        default=None,
        above=0,
        explanation="free moment of inertia, if not the body's mean moment",
    )
    file: str | None = parameter(
        default=None, explanation="file that the formulation reads, which is one of a package"
    )
    name: str | None = parameter(
        default=None, max_length=MAX_NAME_LENGTH, explanation="name in legends, tables and scripts"
    )
    recording: Any = None
    """What a lane of the formulation `recording` shows: a `Reading`, of which the name of its file alone may be given, or a
    `Recording` of a script."""
    loads: Sequence[Load] = ()
    """Loads that act on this lane alone, besides those of the run. A change of the run's loads leaves them as they are."""
    equations: TypedFormulation | None = None
    """Typed equations, which `formulation` is the name of; where none are given, those that were typed under this name before."""

    def __post_init__(self) -> None:
        validate(self)
        self._find_equations()
        if self.recording is not None and not isinstance(self.recording, Recording):
            try:
                object.__setattr__(self, "recording", to_read_options(self.recording))
            except InputError as refusal:
                key = join_key("recording", refusal.key.removeprefix("recording.").removeprefix("recording"))
                raise refusal.with_place(f"Lane.{key}", key) from None
        object.__setattr__(self, "loads", _as_tuple(self.loads, Load, "loads"))
        if self.loads and self.recording is not None:
            raise InputError(
                "Lane.loads", expected="no loads beside a recording, on which nothing acts",
                found=f"{len(self.loads)}", remedy="remove them", key="loads",
            )  # fmt: skip
        _refuse_invalid_identifier(self.formulation, "Lane.formulation", "formulation", "hamilton")
        for key, example in (("integrator", "rk4"), ("stabilisation", "project")):
            if getattr(self, key) is not None:
                _refuse_invalid_identifier(getattr(self, key), f"Lane.{key}", key, example)
        family, _, variant = self.formulation.partition("/")
        if variant:
            object.__setattr__(self, "formulation", f"{family}/{canonical_sequence(variant)}")
        if self.integrator is not None:
            object.__setattr__(self, "integrator", current_name("integrators", self.integrator))
        if self.name is not None and (not self.name.strip() or self.name.splitlines() != [self.name]):
            raise InputError(
                "Lane.name",
                expected="a name, in one line" if self.name.strip() else "a name",
                found=repr(self.name),
                remedy="write it in one line" if self.name.strip() else "remove the key",
                key="name",
                topic="errors#lanes",
            )

    def _find_equations(self) -> None:
        """Let the formulation be what the typed equations are called."""
        if self.equations is None:
            object.__setattr__(self, "equations", registered_definition(self.formulation))
        elif not isinstance(self.equations, TypedFormulation) or self.formulation != self.equations.name:
            raise InputError(
                "Lane.equations", expected="a TypedFormulation of the name that the lane has", found=quote_value(self.equations),
                remedy="give the lane that name as its formulation", key="equations", topic="own#a-formulation-in-a-preset",
            )  # fmt: skip
        if self.equations is not None:
            self.equations.register()

    @classmethod
    def from_string(cls, text: str) -> "Lane":
        """The lane that a command line or a script writes as `hamilton,dt=1e-2`.

        A formulation, then any of `key=value` between commas. A text with settings is the lane's name,
        unless it gives one.

        >>> lane = Lane.from_string("lagrange_full/split, dt=1e-2, name=coarse")
        >>> lane.formulation, lane.dt, lane.name
        ('lagrange_full/split', 0.01, 'coarse')
        """
        formulation, *settings = (part.strip() for part in text.split(","))
        table: dict[str, Any] = {"formulation": formulation}
        for setting in settings:
            key, equals, value = (part.strip() for part in setting.partition("="))
            if not equals or key in table:
                raise InputError(
                    phrase("lane {lane!r}", lane=text),
                    expected="a formulation, then key=value between commas, each key once",
                    found=repr(setting),
                    remedy="write for example 'hamilton,dt=1e-2,name=coarse'",
                    topic="errors#lanes",
                )
            table[key] = _number_or_text(value) if key in _NUMERIC_KEYS else value
        if settings:
            table.setdefault("name", text.strip())
        try:
            return from_table(cls, table, "")
        except InputError as refusal:
            raise refusal.with_place(phrase("lane {lane!r}, {key}", lane=text, key=refusal.key)) from None


LaneLike: TypeAlias = Lane | TypedFormulation | str
"""A lane, or what gives one: typed equations, or the text of `Lane.from_string`."""

MAX_LANES = 200
"""Of a run: with more no window answers in time."""


MAX_AXIS_VALUES = 2000
"""Along an axis of a map."""


@dataclass(frozen=True)
class MapAxis(Parameterized):
    """A number of a preset by its address, and its values: as many, evenly apart between two ends, or their logarithms.

    >>> MapAxis("body.inertia[2]", 1.0, 3.0).count
    200
    """

    number: str = parameter(explanation="the address of a number, such as body.inertia[2]")
    start: float = parameter(explanation="the first value")
    stop: float = parameter(explanation="the last value")
    count: int = parameter(default=200, minimum=2, maximum=MAX_AXIS_VALUES, explanation="how many values")
    scale: str = parameter(
        default="linear",
        choices=("linear", "log"),
        explanation="what is evenly apart: values, or their logarithms",
    )

    def __post_init__(self) -> None:
        validate(self)
        if self.start == self.stop or (self.scale == "log" and min(self.start, self.stop) <= 0.0):
            raise InputError(
                expected="two ends apart, above 0 where the scale is log", found=f"{self.start:g}, {self.stop:g}",
                remedy="choose other ends", key="stop", topic="sweeps#maps-of-presets",
            )  # fmt: skip


@dataclass(frozen=True)
class MapSettings(Parameterized):
    """A map of many runs: what is measured of each, over one axis or two, of the first lane."""

    across: MapAxis
    up: MapAxis | None = None
    measure: str = parameter(default="flips", explanation="what is measured of each run")

    def __post_init__(self) -> None:
        validate(self)
        if self.up is not None and self.up.number == self.across.number:
            raise InputError(
                expected="another number than across has", found=repr(self.up.number), key="up.number",
                remedy="leave it out: over one axis there is a diagram", topic="sweeps#maps-of-presets",
            )  # fmt: skip

    @property
    def axes(self) -> tuple[MapAxis, ...]:
        """One, or two."""
        return (self.across,) if self.up is None else (self.across, self.up)


_MOTION_TABLES, _NUMERICAL_TABLES = ("body", "initial", "loads", "events"), ("run", "lanes")
_DEPENDENCES: dict[str, tuple[str, ...]] = {
    **{table: (table,) for table in (*_MOTION_TABLES, *_NUMERICAL_TABLES)},
    "motion": _MOTION_TABLES,
    "anything": (*_MOTION_TABLES, *_NUMERICAL_TABLES),
    "nothing": (),
}


def parse_dependencies(text: str) -> dict[str, frozenset[str]]:
    """The tables of a preset that sentences depend on, by their first words, as the lines of `Preset.depends` have it.

    >>> {words: sorted(tables) for words, tables in parse_dependencies("The arrow h: loads, events").items()}
    {'The arrow h': ['events', 'loads']}
    """
    dependencies = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        words, _, tables_text = line.rpartition(":")
        tables = [name.strip() for name in tables_text.split(",")]
        unknown = [name for name in tables if name not in _DEPENDENCES]
        if unknown or not words:
            raise InputError(
                expected=phrase(
                    "the first words of a sentence, a colon, and some of {names}",
                    names=", ".join(_DEPENDENCES),
                ),
                found=repr(unknown[0] if words else line),
                remedy="write for example: The arrow h: loads, events",
                key="depends",
                topic="setup#type-a-number",
            )
        dependencies[words] = frozenset(table for name in tables for table in _DEPENDENCES[name])
    return dependencies


@dataclass(frozen=True, eq=False, kw_only=True)
class Preset(Parameterized, ArrayEquality):
    """A motion to look at, complete: the body, how it starts, what acts on it, and how it is computed.

    `loads`, `events` and `lanes` become tuples; a lane may be given as the text that `Lane.from_string` reads.

    The preset protocol (`quatviz.files.preset_reading` reads and writes the text):

    1. A preset is a UTF-8 text in TOML, in a file `PLACEHOLDER.toml`; NAME is the preset's name. It is data: it
       cannot run code, read another file or reach the network. A mesh named by `body.shape` is data too, and so are
       the recording of a lane, and its file, which an installed package reads.
    2. `format = 1` is its version. A program refuses a version it does not know.
    3. `title` (one line, required), `source`, `summary` (what it is, why it matters) and `watch` (what to
       look at) are plain text for people. `depends` has a line for each sentence of these whose truth a window cannot tell from its
       figures: its first words, a colon, and after edits of which tables it may not hold any more, or `motion` (all but `run`
       and `lanes`), `anything`, `nothing`. `speed` is how fast a window that opens the preset plays it, in seconds of
       motion for each second: above 0, at most `MAX_SPEED`, 1 where the key is left out. It decides nothing that is computed.
    4. `[body]` has the keys of `Body`, each of any number of `[[rotors]]` in it those of `Rotor`,
       `[initial]` those of `Initial`, `[run]` those of `RunSettings`:
       the names of their fields, with the units that the fields declare. A key whose field has a
       default may be left out. `[body]`, `[initial]` and `[run]` are required.
    5. `[[loads]]`, any number, are summed. `kind` names a class of the registry `quatviz.loads`;
       the other keys are the fields of that class.
    6. `[[events]]`, any number, happen to every lane at their time `at`, a multiple of `sample_interval`. `kind` names
       a class of the registry `quatviz.events`; the other keys are the fields of that class. The sample at that
       time is the state after the event. One that is later than the duration waits until the run is extended.
    7. `[[lanes]]`, up to 200, have the keys of `Lane`. Names are unique; a lane without one is named
       after its formulation. Formulations and integrators are looked up when the run is made. A `file` is looked for beside
       the preset's own, and has its whole path from then on. A lane with a `recording` needs no formulation: it is the name of a
       file beside the preset, or a table with the fields of `physics.observables.read_options.ReadOptions`.
       `[[lanes.loads]]` below a lane, as `[[loads]]`, act on that lane besides those of the run.
    8. SI units, angles in radians; degrees only under a key called `degrees`. Euler parameters are scalar
       first, body to space; a vector is in body components unless its key or its `frame` says otherwise.
    9. Numbers are finite; integers stand for floats, never texts or truth values for numbers, but for a number that its
       field declares as `timed`: there a text is an expression of the time t, as `base.expression` reads it.
    10. Anything unknown is refused, never ignored: key, kind, version, choice.
    11. Extension: a new load or event adds its kind; a new optional key with a default, or a value that was refused
        before, that leaves the meaning of every older text unchanged, stays in format 1; any other change makes
        format 2, and format 1 is still read. Installed packages add presets through entry points of the group `quatviz.presets`.
    12. `format_preset` writes every value such that `parse_preset` gives an equal preset.
    13. `[look]` is how a window shows the preset first: the choices of `quatviz.display.view_state.view_state.UNDOABLE_FIELDS`,
        mainly panels, items and options. It does not affect the computation. A session is a preset whose text also has the key
        `session`, its own version: its `[look]` is the complete view of the run (`quatviz.display.view_state.session`).
        Whoever reads presets reads the preset of either. A text has at most `text_limits.LARGEST` bytes.
    14. `[[formulations]]` are typed formulations, with the keys of `TypedFormulation`. A lane has one if it gives its name as
        `formulation`; each is one of at least one lane.
    15. `[map]` defines a map of many such runs: the `measure`, a name of the registry
        `quatviz.analysis.sweeps.measures`, and the tables `across` and `up`, with the keys of `MapAxis`. Without `up`
        it is a diagram. It does not affect the run; names and addresses are looked up when the map is made.

    >>> import quatviz as qv
    >>> preset = qv.Preset(
    ...     body=qv.Body(inertia=[3.0, 2.0, 1.0]),
    ...     initial=qv.Initial(euler_parameters=[1.0, 0.0, 0.0, 0.0], angular_velocity=[0.01, 5.0, 0.0]),
    ...     lanes=["newton_euler", "hamilton"],
    ... )
    >>> [lane.formulation for lane in preset.lanes], preset.run.duration
    (['newton_euler', 'hamilton'], 10.0)
    """

    title: str = parameter(
        default="Untitled", max_length=MAX_TITLE_LENGTH, explanation="one line for menus and windows"
    )
    body: Body
    initial: Initial
    loads: Sequence[Load] = ()
    run: RunSettings = field(default_factory=lambda: RunSettings(10.0, 1e-3, 0.01))
    lanes: Sequence[Lane] = ()
    events: Sequence[Event] = ()
    source: str = parameter(default="", explanation="where the problem comes from")
    summary: str = parameter(default="", explanation="what it is, and why it matters")
    watch: str = parameter(default="", explanation="what to look at, shown beside the view")
    depends: str = parameter(
        default="",
        explanation="which sentences of these two depend on which tables, each in a line",
    )
    speed: float = parameter(
        default=1.0,
        above=0,
        maximum=MAX_SPEED,
        explanation="seconds of motion for each second of playing, when a window opens it",
    )
    map: MapSettings | None = None
    name: str = field(default="", compare=False)
    path: Path | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        validate(self)
        for key, expected_class in (("body", Body), ("initial", Initial), ("run", RunSettings)):
            _refuse_wrong_type(getattr(self, key), expected_class, key)
        parse_dependencies(self.depends)
        if self.map is not None:
            _refuse_wrong_type(self.map, MapSettings, "map")
        object.__setattr__(self, "loads", _as_tuple(self.loads, Load, "loads"))
        object.__setattr__(self, "events", _as_tuple(self.events, Event, "events"))
        lane_list: Any = (
            [_as_lane(lane) for lane in self.lanes]
            if isinstance(self.lanes, Iterable) and not isinstance(self.lanes, str)
            else self.lanes
        )
        lanes = _as_tuple(lane_list, Lane, "lanes")
        object.__setattr__(self, "lanes", lanes)
        for n, lane in enumerate(lanes):
            if lane.dt is not None:
                steps_per_sample(lane.dt, self.run.sample_interval, key=f"lanes[{n}].dt")
        for n, event in enumerate(self.events):
            sample_index(event.at, self.run.sample_interval, key=f"events[{n}].at")
        _refuse_duplicate_names(lanes)
        _refuse_duplicate_definitions(lanes)
        if len(lanes) > MAX_LANES:
            raise InputError(
                expected=phrase("at most {most} lanes", most=MAX_LANES),
                found=f"{len(lanes)}",
                remedy="leave some out, or make several runs",
                key="lanes",
                topic="errors#lanes",
            )

    @property
    def all_loads(self) -> tuple[Load, ...]:
        """The loads of the run, and then those of single lanes."""
        loads = list(self.loads)
        for lane in self.lanes:
            loads.extend(lane.loads)
        return tuple(loads)

    def with_lane_loads(self, lane: Lane) -> "Preset":
        """Return the preset of one lane, whose own loads are loads of the run: the same motion."""
        return replace(self, loads=(*self.loads, *lane.loads), lanes=(replace(lane, loads=()),))

    def has_same_run(self, other: "Preset") -> bool:
        """Whether the two differ in nothing but the speed that they are played at, and what is mapped."""
        return self._equals_except(other, "speed", "map")

    def to_toml(self, path: str | Path | None = None) -> str:
        """The text of this preset, TOML, by which `load_preset` gives an equal one; also written to the file `path`, whole or not
        at all. `InputError` where a script has given a load, of which no text can tell, and where the file cannot be written.

        >>> import tempfile
        >>> import quatviz as qv
        >>> preset = qv.load_preset("heavy_top")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     text = preset.to_toml(f"{folder}/top.toml")
        ...     again = qv.load_preset(f"{folder}/top.toml")
        >>> again == preset, text.splitlines()[1]
        (True, 'title = "Heavy symmetric top"')
        """
        text = format_preset(self)
        if path is not None:
            write_text(path, text)
        return text

    def with_folder(self, folder: Path | None) -> "Preset":
        """The same preset, whose mesh and recordings are looked for in `folder`."""
        lanes = [
            replace(lane, recording=lane.recording.in_folder(folder))
            if isinstance(lane.recording, ReadOptions)
            else lane
            for lane in self.lanes
        ]
        return replace(self, body=self.body.with_folder(folder), lanes=lanes)

    def copy_files(self, folder: Path, overwrite: bool = False) -> None:
        """Copy its mesh and its recordings into `folder`; nothing of what is there, or is not read. `InputError` where another file
        is in the place of one, unless it is to be written `overwrite`."""
        copy_mesh(self.body, folder, overwrite)
        for lane in self.lanes:
            if isinstance(lane.recording, ReadOptions):
                copy_recording(lane.recording, folder, overwrite)

    def with_run(self, *, lanes: Sequence[LaneLike] | LaneLike | None = None, **settings: Any) -> "Preset":
        """The same motion computed otherwise: other lanes, or one, other `RunSettings`; None leaves the preset's choice.

        >>> start = Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, 2, 0.1])
        >>> preset = Preset(body=Body(inertia=[1, 2, 3]), initial=start)
        >>> preset.with_run(lanes=["hamilton,dt=1e-2"], duration=4.0).run.duration
        4.0
        """
        changes = {key: value for key, value in settings.items() if value is not None}
        chosen_lanes: Any = self.lanes if lanes is None else [lanes] if isinstance(lanes, LaneLike) else lanes
        return replace(self, run=replace(self.run, **changes), lanes=chosen_lanes)

    same_run = FormerName("same_run", "has_same_run")
    beside = FormerName("beside", "with_folder")
    bring_files = FormerName("bring_files", "copy_files")


def _as_tuple(values: Any, item_class: type, key: str) -> tuple[Any, ...]:
    """`values` as a tuple, each of one kind; a script may have left out the brackets, or have given something else."""
    if not isinstance(values, Iterable) or isinstance(values, str):
        raise InputError(
            expected=phrase("a list of {kind}", kind=item_class.__name__),
            found=quote_value(values),
            remedy=phrase("put it in brackets: {key} = [...]", key=key),
            key=key,
        )
    items = tuple(values)
    for n, value in enumerate(items):
        _refuse_wrong_type(value, item_class, f"{key}[{n}]")
    return items


def _refuse_wrong_type(value: object, expected_class: type, key: str) -> None:
    if not isinstance(value, expected_class):
        raise InputError(
            expected=phrase("an object of the kind {kind}", kind=expected_class.__name__),
            found=quote_value(value),
            remedy="make it with the classes of quatviz, or read a preset with load_preset",
            key=key,
        )


def _as_lane(lane: Any) -> Any:
    """A lane that is given by its text or by its typed equations."""
    if isinstance(lane, TypedFormulation):
        return Lane(lane.name, equations=lane)
    return Lane.from_string(lane) if isinstance(lane, str) else lane


def _refuse_duplicate_definitions(lanes: Iterable[Lane]) -> None:
    """Refuse lanes with other typed equations under the same name."""
    definitions: dict[str, TypedFormulation] = {}
    for n, lane in enumerate(lanes):
        if (
            lane.equations is not None
            and definitions.setdefault(lane.formulation, lane.equations) != lane.equations
        ):
            raise InputError(
                expected=phrase("the same equations in all lanes of {name}", name=lane.formulation), found="others",
                remedy="give them another name", key=f"lanes[{n}].formulation", topic="own#a-formulation-in-a-preset",
            )  # fmt: skip


def _refuse_duplicate_names(lanes: Sequence[Lane]) -> None:
    names = [lane.name for lane in lanes]
    for n, name in enumerate(names):
        if name is not None and name in names[:n]:
            raise InputError(
                expected="a name that no other lane has",
                found=repr(name),
                remedy="choose another name, or remove it",
                key=f"lanes[{n}].name",
            )


def _refuse_invalid_identifier(text: str, place: str, key: str, example: str) -> None:
    if not _IDENTIFIER.fullmatch(text):
        raise InputError(
            place,
            expected="a name of letters, digits, and _ . - (a variant behind a slash)",
            found=repr(text),
            remedy=phrase("write for example {example}", example=example),
            key=key,
        )


def _number_or_text(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def sample_time(time: float, preset: Preset) -> float:
    """The time of the sample that is nearest to `time` [s], in as many digits as it needs."""
    interval = preset.run.sample_interval
    return time_of_sample(round(time / interval), interval)
