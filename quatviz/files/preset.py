"""Presets. A preset contains a problem (body, initial state, loads), the settings of its run, its lanes and its map."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeAlias

from quatviz.base.array_equality import ArrayEquality
from quatviz.base.deprecation import FormerName
from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import SAMPLE_INTERVAL, TIME_STEP
from quatviz.base.parameters import Parameterized, from_table, join_key, parameter, quote_value, validate
from quatviz.base.registry import current_name
from quatviz.files.files import copy_mesh, copy_recording, write_preset_text
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
"""Relative tolerance for the condition that the time step divides the sample interval. Rounding makes 10 steps of 1e-3
differ from an interval of 0.01."""

MAX_NAME_LENGTH = 300
"""Largest number of characters of a lane name. Longer names would slow down legends and plots. Names of files, which
lanes may have, are at most 255 characters long."""

MAX_TITLE_LENGTH = 5000
"""Largest number of characters of a title. Titles are shown in one line and truncated there. The longest title of a
shipped preset has 37 characters."""

MAX_SPEED = 1000.0
"""Largest playback speed [seconds of motion per second], equal to the limit of the window."""

_IDENTIFIER = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")


def _rtol_parameter(explanation: str) -> Any:
    """Return the declaration of a relative tolerance `rtol`. The limits exclude tolerances near the precision
    of float64 and tolerances that are too large to be useful."""
    return parameter(default=None, minimum=1e-14, maximum=0.1, title="rel. tol.", explanation=explanation)


def _atol_parameter(explanation: str) -> Any:
    return parameter(default=None, above=0, title="abs. tol.", explanation=explanation)


@dataclass(frozen=True)
class RunSettings(Parameterized):
    """Duration, time step and sample interval of a run, and defaults for its lanes.

    `dt` must divide `sample_interval` (up to rounding), so that every lane has a sample at each `t_k = k *
    sample_interval`. For an adaptive integrator, `dt` is the first step, and the estimated error of every step is
    at most `atol` + `rtol` |y| in each component y of the state. `atol` defaults to the value of `rtol`, and `rtol`
    to the default of the integrator.

    >>> RunSettings(duration=20.0, dt=1e-3, sample_interval=0.01).integrator
    'rk4'
    """

    duration: float = parameter(unit="s", above=0, explanation="simulated time")
    dt: float = parameter(unit="s", above=0, explanation="default time step of the lanes")
    sample_interval: float = parameter(unit="s", above=0, explanation="time between recorded states")
    integrator: str = parameter(default="rk4", explanation="default integrator of the lanes")
    rtol: float | None = _rtol_parameter("default relative tolerance of adaptive lanes")
    atol: float | None = _atol_parameter("default absolute tolerance of adaptive lanes")

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
    """Return the time of a sample [s], without the rounding error of the product `sample * sample_interval`.

    >>> time_of_sample(6, 0.7), 6 * 0.7
    (4.2, 4.199999999999999)
    """
    return float(f"{sample * sample_interval:.12g}")


MAX_STEPS_PER_SAMPLE = 10**11
"""Largest number of steps between two samples. With this limit, the total number of steps of the longest run fits
in an int64."""


def steps_per_sample(dt: float, sample_interval: float, key: str = "dt") -> int:
    """Return the number of steps of `dt` [s] in one `sample_interval` [s].

    Raises
    ------
    InputError
        If the number is not an integer or is larger than `MAX_STEPS_PER_SAMPLE`.

    Examples
    --------
    >>> steps_per_sample(1e-3, 0.01)
    10
    """
    ratio = sample_interval / dt
    if ratio > MAX_STEPS_PER_SAMPLE:
        raise InputError(
            expected=phrase(
                "at most {most:g} steps between two samples, which already take hours",
                most=MAX_STEPS_PER_SAMPLE,
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
        found=phrase(
            "{dt:.12g} s, which fits {ratio:.9g} times into {name}", dt=dt, ratio=ratio, name=SAMPLE_INTERVAL
        ),
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
"""Keys in a text for `Lane.from_string` whose values are numbers."""


@dataclass(frozen=True)
class Lane(Parameterized):
    """One formulation with its integrator, time step, tolerances and stabilization. None means the default of the
    run.

    `formulation` is a name such as "hamilton" or "lagrange_full/split". The simulation checks that it exists.

    >>> import quatviz as qv
    >>> coarse = qv.Lane("hamilton", dt=1e-2, stabilisation="project", name="coarse")
    >>> qv.simulate(qv.load_preset("torque_free"), lanes=["hamilton", coarse], duration=0.02)["coarse"].status
    'ok'
    """

    formulation: str = parameter(explanation="formulation, with its variant after a slash")
    _: KW_ONLY
    integrator: str | None = parameter(default=None, explanation="integrator, if not the run's")
    dt: float | None = parameter(unit="s", default=None, above=0, explanation="time step, if not the run's")
    rtol: float | None = _rtol_parameter("relative tolerance of an adaptive integrator, if not the run's")
    atol: float | None = _atol_parameter("absolute tolerance of an adaptive integrator, if not the run's")
    stabilisation: str | None = parameter(default=None, explanation="method that keeps |p| = 1")
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
        default=None, explanation="file that the formulation of a plug-in package reads"
    )
    name: str | None = parameter(
        default=None, max_length=MAX_NAME_LENGTH, explanation="name in legends, tables and scripts"
    )
    recording: Any = None
    """Recording that a lane with the formulation `recording` shows: `ReadOptions`, the name of the file, or a
    `Recording` created by a script."""
    loads: Sequence[Load] = ()
    """Loads that act on this lane only, in addition to those of the run. Events that change the loads of the run do
    not affect them."""
    equations: TypedFormulation | None = None
    """Typed equations of the lane. Their name is `formulation`. By default, the equations registered under this name,
    or None."""

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
        _refuse_more_loads(self.loads)
        if self.loads and self.recording is not None:
            raise InputError(
                "Lane.loads", expected="no loads, since loads do not act on a recording",
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

    def has_same_motion(self, other: "Lane") -> bool:
        """Return True if two lanes differ at most in their names, which do not affect the computation."""
        names = (item.name for item in fields(self) if item.name != "name")
        return self is other or all(getattr(self, name) == getattr(other, name) for name in names)

    def _find_equations(self) -> None:
        """Register the typed equations of the lane. If it has none, look up the equations that are registered under its
        formulation."""
        if self.equations is None:
            object.__setattr__(self, "equations", registered_definition(self.formulation))
        elif not isinstance(self.equations, TypedFormulation) or self.formulation != self.equations.name:
            raise InputError(
                "Lane.equations", expected="a TypedFormulation with the name of the lane's formulation",
                found=quote_value(self.equations),
                remedy="write the same name in both places", key="equations", topic="own#a-formulation-in-a-preset",
            )  # fmt: skip
        if self.equations is not None:
            self.equations.register()

    @classmethod
    def from_string(cls, text: str) -> "Lane":
        """Parse a lane as it is written on the command line or in a script, such as `hamilton,dt=1e-2`.

        The text consists of a formulation and any number of `key=value`, separated by commas. A lane with settings
        has the text as its name unless a name is given.

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
                    expected="a formulation and key=value, separated by commas, each key once",
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


LaneLike: TypeAlias = Lane | TypedFormulation | Recording | str
"""Anything that defines a lane: a `Lane`, typed equations, a recording to show, or a text for `Lane.from_string`."""

MAX_LANES = 200
"""Largest number of lanes of a run. With more, the window does not respond in time."""

MAX_EVENTS = 500
"""Largest number of events of a run. With more, the window would stop for more than 0.2 s when it opens the run."""

MAX_LOADS = 50
"""Largest number of loads of a run, and of a lane. All are evaluated at every sample that the window reads, which would stop
it for more than 0.2 s."""

_FEWER_ITEMS = "remove some, or use several runs"
"""Remedy of a run with too many lanes or events."""

MAX_AXIS_VALUES = 2000
"""Largest number of values along an axis of a map."""


@dataclass(frozen=True)
class MapAxis(Parameterized):
    """Axis of a map: the address of a number of a preset, and `count` values from `start` to `stop` with equal spacing
    or equal ratios.

    >>> MapAxis("body.inertia[2]", 1.0, 3.0).count
    200
    """

    number: str = parameter(explanation="address of a number, such as body.inertia[2]")
    start: float = parameter(explanation="first value")
    stop: float = parameter(explanation="last value")
    count: int = parameter(default=200, minimum=2, maximum=MAX_AXIS_VALUES, explanation="number of values")
    scale: str = parameter(
        default="linear",
        choices=("linear", "log"),
        explanation="equal differences of the values (linear) or of their logarithms (log)",
    )

    def __post_init__(self) -> None:
        validate(self)
        if self.start == self.stop or (self.scale == "log" and min(self.start, self.stop) <= 0.0):
            raise InputError(
                expected="two different ends, above 0 for a log scale", found=f"{self.start:g}, {self.stop:g}",
                remedy="choose other ends", key="stop", topic="sweeps#maps-of-presets",
            )  # fmt: skip


@dataclass(frozen=True)
class MapSettings(Parameterized):
    """A parameter map: the values of a measure on a grid of one or two axes. At each point, only the first lane is run."""

    across: MapAxis
    up: MapAxis | None = None
    measure: str = parameter(default="flips", explanation="name of the measure computed for each run")

    def __post_init__(self) -> None:
        validate(self)
        if self.up is not None and self.up.number == self.across.number:
            raise InputError(
                expected="another number of the preset than that of across", found=repr(self.up.number), key="up.number",
                remedy="remove the table up, which gives a line plot over one axis", topic="sweeps#maps-of-presets",
            )  # fmt: skip

    @property
    def axes(self) -> tuple[MapAxis, ...]:
        """Axes of the map: `across` and, if given, `up`."""
        return (self.across,) if self.up is None else (self.across, self.up)


_MOTION_TABLES, _NUMERICAL_TABLES = ("body", "initial", "loads", "events"), ("run", "lanes")
_DEPENDENCES: dict[str, tuple[str, ...]] = {
    **{table: (table,) for table in (*_MOTION_TABLES, *_NUMERICAL_TABLES)},
    "motion": _MOTION_TABLES,
    "anything": (*_MOTION_TABLES, *_NUMERICAL_TABLES),
    "nothing": (),
}


def parse_dependencies(text: str) -> dict[str, frozenset[str]]:
    """Parse `Preset.depends`: return the names of the tables on which each sentence depends, by the first words of
    the sentence.

    A name such as `motion` is replaced by the tables that it includes.

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
                    "the first words of a sentence, a colon, and one or more of {names}",
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
    """A complete problem: the body, its initial state, the loads on it, and the settings for the computation of the
    motion.

    `loads`, `events` and `lanes` are converted to tuples. A lane may be given as any `LaneLike`.

    The preset format (`quatviz.files.preset_reading` reads and writes the text):

    1. A preset is a UTF-8 text in TOML, in a file `NAME.toml`; NAME is the preset's name. It is data: it cannot run
       code, read another file or reach the network. The mesh named by `body.shape`, the recording of a lane and the
       file of a lane, which a plug-in package reads, are data too.
    2. `format = 1` is its version. A program rejects a version it does not know.
    3. `title` (one line, required), `source`, `summary` (what it shows and why it matters) and `watch` (what to
       look at) are plain text for the reader. `depends` has a line for each sentence of these texts whose validity
       the window cannot judge from the numbers in it. The line consists of the first words of the sentence, a
       colon, and the tables whose edits may make the sentence false: names of tables, `motion` (all tables except
       `run` and `lanes`), `anything`, or `nothing`. `speed` is the initial playback speed of the window [seconds of
       motion per second]: above 0, at most `MAX_SPEED`, default 1. It does not affect the computation.
    4. `[body]` has the keys of `Body`, `[initial]` those of `Initial`, and `[run]` those of `RunSettings`. The body
       may contain any number of `[[rotors]]`, with the keys of `Rotor`. Keys are names of fields, and values have
       the units that the fields declare. A key whose field has a default may be omitted. `[body]`, `[initial]` and
       `[run]` are required.
    5. Up to 50 `[[loads]]` are summed. `kind` names a class of the registry `quatviz.loads`; the other keys
       are the fields of that class.
    6. Up to 500 `[[events]]` apply to every lane at their time `at`, a multiple of `sample_interval`. `kind`
       names a class of the registry `quatviz.events`; the other keys are the fields of that class. The sample at
       that time is the state after the event. An event after the end of the run has no effect until the run is
       extended.
    7. Up to 200 `[[lanes]]` have the keys of `Lane`. Names are unique; a lane without one is named after its
       formulation. Formulations and integrators are looked up when the run is created. A `file` is relative to the
       folder of the preset and becomes an absolute path. A lane with a `recording` needs no formulation:
       `recording` is the name of a file beside the preset, or a table with the fields of
       `physics.observables.read_options.ReadOptions`. `[[lanes.loads]]` below a lane are like `[[loads]]` and act
       on that lane in addition to those of the run.
    8. Numbers are in SI units and angles in radians; only a key called `degrees` has angles in degrees. Euler
       parameters are scalar first, body to space; a vector is in body components unless its key or its `frame` says
       otherwise.
    9. Numbers are finite. Integers are accepted as floats, but texts and booleans are not accepted as numbers. Only
       a field declared as `timed` accepts a text: an expression of the time t, as in `base.expression`.
    10. Unknown keys, kinds, versions and choices are rejected, never ignored.
    11. Extensions: a new load or event adds a kind. New optional keys with defaults, and values that were rejected
        before, do not change the version if every older text keeps its meaning. Any other change requires format 2;
        format 1 must then still be read. Plug-in packages add presets through entry points of the group
        `quatviz.presets`.
    12. `format_preset` writes every value such that `parse_preset` gives an equal preset.
    13. `[look]` is the initial view of the window: the fields of
        `quatviz.display.view_state.view_state.UNDOABLE_FIELDS`, mainly panels, items and options. It does not
        affect the computation. A session is a preset whose text also has the key `session`, the version of the
        session format. Its `[look]` is the complete view of the run (`quatviz.display.view_state.session`), and
        `origin` is the name of the preset from which the run was made, if it is known. Readers of presets read the
        preset in a session too. A text has at most `limits.MAX_TEXT_BYTES` bytes.
    14. `[[formulations]]` are typed formulations, with the keys of `TypedFormulation`. A lane uses a typed
        formulation by giving its name as `formulation`. At least one lane must use each.
    15. `[map]` defines a map of many runs of this problem: the `measure`, a name of the registry
        `quatviz.analysis.sweeps.measures`, and the tables `across` and `up`, with the keys of `MapAxis`. Without
        `up` it is a diagram. It does not affect the run; names and addresses are looked up when the map is
        computed.

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
    source: str = parameter(default="", explanation="origin of the problem")
    summary: str = parameter(default="", explanation="what the preset shows, and why it matters")
    watch: str = parameter(default="", explanation="what to look at, shown beside the 3D view")
    depends: str = parameter(
        default="",
        explanation="tables of the preset on which a sentence of summary or watch depends, one sentence per line",
    )
    speed: float = parameter(
        default=1.0,
        above=0,
        maximum=MAX_SPEED,
        explanation="initial playback speed, in seconds of motion per second",
    )
    map: MapSettings | None = None
    name: str = field(default="", compare=False)
    path: Path | None = field(default=None, compare=False)
    origin: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        validate(self)
        for key, expected_class in (("body", Body), ("initial", Initial), ("run", RunSettings)):
            _refuse_wrong_type(getattr(self, key), expected_class, key)
        parse_dependencies(self.depends)
        if self.map is not None:
            _refuse_wrong_type(self.map, MapSettings, "map")
        object.__setattr__(self, "loads", _as_tuple(self.loads, Load, "loads"))
        _refuse_more_loads(self.loads)
        object.__setattr__(self, "events", _as_tuple(self.events, Event, "events"))
        _refuse_more_items(
            self.events, MAX_EVENTS, phrase("at most {most} events", most=MAX_EVENTS), _FEWER_ITEMS, "events"
        )
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
        _refuse_more_items(
            lanes,
            MAX_LANES,
            phrase("at most {most} lanes", most=MAX_LANES),
            _FEWER_ITEMS,
            "lanes",
            "errors#lanes",
        )

    @property
    def all_loads(self) -> tuple[Load, ...]:
        """All loads: first those that act on every lane, then those that act on single lanes."""
        return (*self.loads, *(load for lane in self.lanes if lane.loads for load in lane.loads))

    def with_lane_loads(self, lane: Lane) -> "Preset":
        """Return a preset whose only lane is `lane`, with the loads of this lane moved to the loads of the run.
        The lane computes the same motion."""
        return replace(self, loads=(*self.loads, *lane.loads), lanes=(replace(lane, loads=()),))

    def has_same_run(self, other: "Preset") -> bool:
        """Return True if two presets differ only in playback speed and map."""
        return self._equals_except(other, "speed", "map")

    def to_toml(self, path: str | Path | None = None) -> str:
        """Return the preset as TOML text, and write it to the file `path` if given. `load_preset` reads the file.

        Raises
        ------
        InputError
            If a load or recording was created by a script, or if the file cannot be written.

        Examples
        --------
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
            write_preset_text(path, text)
        return text

    def with_folder(self, folder: Path | None) -> "Preset":
        """Return the same preset, with `folder` as the folder of its mesh and recordings."""
        lanes = [
            replace(lane, recording=lane.recording.in_folder(folder))
            if isinstance(lane.recording, ReadOptions)
            else lane
            for lane in self.lanes
        ]
        return replace(self, body=self.body.with_folder(folder), lanes=lanes)

    def copy_files(self, folder: Path, overwrite: bool = False) -> None:
        """Copy the mesh and the recordings into `folder`, except for files that are already there or cannot be
        read.

        Raises
        ------
        InputError
            If a different file of the same name exists and `overwrite` is False.
        """
        copy_mesh(self.body, folder, overwrite)
        for lane in self.lanes:
            if isinstance(lane.recording, ReadOptions):
                copy_recording(lane.recording, folder, overwrite)

    def with_run(self, *, lanes: Sequence[LaneLike] | LaneLike | None = None, **settings: Any) -> "Preset":
        """Return the same problem with other lanes or other `RunSettings`. Arguments that are None leave the value
        of the preset unchanged.

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
    """Return `values` as a tuple of instances of `item_class`. Raise an `InputError` for anything else, such as a
    single value instead of a list."""
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


def _refuse_more_loads(loads: Sequence[Load]) -> None:
    _refuse_more_items(
        loads,
        MAX_LOADS,
        phrase("at most {most} loads", most=MAX_LOADS),
        "remove some, or combine loads of one kind",
        "loads",
    )


def _refuse_more_items(
    items: Sequence[object], most: int, expected: str, remedy: str, key: str, topic: str = ""
) -> None:
    """Refuse more than `most` items of a run."""
    if len(items) > most:
        raise InputError(expected=expected, found=f"{len(items)}", remedy=remedy, key=key, topic=topic)


def _refuse_wrong_type(value: object, expected_class: type, key: str) -> None:
    if not isinstance(value, expected_class):
        raise InputError(
            expected=phrase("an instance of {kind}", kind=expected_class.__name__),
            found=quote_value(value),
            remedy="create it with the classes of quatviz, or read a preset with load_preset",
            key=key,
        )


def _as_lane(lane: Any) -> Any:
    """Convert a `LaneLike` to a `Lane`. Return any other value unchanged."""
    if isinstance(lane, Recording):
        return Lane("recording", recording=lane)
    if isinstance(lane, TypedFormulation):
        return Lane(lane.name, equations=lane)
    return Lane.from_string(lane) if isinstance(lane, str) else lane


def _refuse_duplicate_definitions(lanes: Iterable[Lane]) -> None:
    """Raise an `InputError` if lanes have different typed equations with the same name."""
    definitions: dict[str, TypedFormulation] = {}
    for n, lane in enumerate(lanes):
        if (
            lane.equations is not None
            and definitions.setdefault(lane.formulation, lane.equations) != lane.equations
        ):
            raise InputError(
                expected=phrase("the same equations in all lanes of {name}", name=lane.formulation), found="different equations",
                remedy="give them another name", key=f"lanes[{n}].formulation", topic="own#a-formulation-in-a-preset",
            )  # fmt: skip


def _refuse_duplicate_names(lanes: Sequence[Lane]) -> None:
    names = [lane.name for lane in lanes]
    for n, name in enumerate(names):
        if name is not None and name in names[:n]:
            raise InputError(
                expected="a different name for every lane",
                found=repr(name),
                remedy="choose another name, or remove it",
                key=f"lanes[{n}].name",
            )


def _refuse_invalid_identifier(text: str, place: str, key: str, example: str) -> None:
    if not _IDENTIFIER.fullmatch(text):
        raise InputError(
            place,
            expected="a name of letters, digits, and _ . - (a variant after a slash)",
            found=quote_value(text),
            remedy=phrase("write for example {example}", example=example),
            key=key,
        )


def _number_or_text(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def sample_time(time: float, preset: Preset) -> float:
    """Return the time [s] of the sample nearest to `time` [s], without rounding error."""
    interval = preset.run.sample_interval
    return time_of_sample(round(time / interval), interval)
