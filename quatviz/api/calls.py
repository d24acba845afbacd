"""What a script calls: load a preset, run it, study it, make the documents' figures."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from quatviz.api.argument_checks import (
    checked_jobs,
    checked_numbers,
    checked_path,
    checked_time,
    checked_value_lists,
)
from quatviz.api.progress import progress_reporter
from quatviz.api.run import Run
from quatviz.api.solution import Solution
from quatviz.base import resources
from quatviz.base.deprecation import former_arguments
from quatviz.base.errors import InputError
from quatviz.base.parameters import quote_value
from quatviz.export.formats import is_table
from quatviz.export.table_files import read_session_of_table, read_table
from quatviz.files.addresses import with_value
from quatviz.files.preset import LaneLike, Preset
from quatviz.files.preset_files import find_preset, preset_paths
from quatviz.files.preset_reading import read_preset
from quatviz.physics.loads import bind, total_potential
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.physics.observables.recording import Recording
from quatviz.recordings.importing import propose_import
from quatviz.recordings.writing import EPOCH, convention_from_names
from quatviz.recordings.writing import write_recording as write_recording_to
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Progress, Simulation, complete

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import xarray

    from quatviz.analysis.fitting.result import BodyFit
    from quatviz.analysis.studies.files import StudyResult
    from quatviz.analysis.studies.study import Study
    from quatviz.export.exhibit_writer import ExhibitProgress


def load_preset(name_or_path: str | Path) -> Preset:
    """The preset of that name (shipped, of an installed package, or your own), in that TOML file, which may be a session,
    or in a table that a run was written to, which repeats that run.

    Raises `InputError`, with file and line, for what cannot be used.

    >>> load_preset("heavy_top").title
    'Heavy symmetric top'
    """
    name_or_path = checked_path(name_or_path, "the preset")
    if is_table(name_or_path):
        return read_session_of_table(name_or_path).preset
    return read_preset(find_preset(name_or_path, resources.preset_folder(), resources.user_preset_folder()))


def load_run(path: str | Path) -> Run:
    """The run whose table was written to the file `path`, as it was recorded, without computing: lanes have the quantities and rows
    that are there. `run.preset` repeats it, `run.versions` tells what computed it, and `run.missing` what is missing here to do so.

    >>> import tempfile
    >>> run = simulate(load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run.write(f"{folder}/run.npz")
    ...     again = load_run(f"{folder}/run.npz")
    >>> again["newton_euler"].h.tolist() == run["newton_euler"].h.tolist(), again.versions["quatviz"]
    (True, '0.1.0')
    """
    path = checked_path(path, "the file of a run")
    return read_table(path, lambda table: Run.from_table(table, path))


def load_recording(path: str | Path, **options: Any) -> Recording:
    """The recording in the file `path`, in the conventions of the program. `options` are fields of `Reading`; what they leave open
    is found from the file, and conventions of attitude and rates, where both are there and tell it clearly, are those that hold
    best.

    Raises `InputError`, with file and line, for what cannot be used.

    >>> import tempfile
    >>> run = simulate(load_preset("torque_free"), lanes=["newton_euler"], duration=1.0)
    >>> lane = run["newton_euler"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     recording = Recording(lane.t, p=lane.p, omega=lane.omega)
    ...     write_recording(recording, f"{folder}/a.csv", order="scalar_last", rate_unit="deg/s")
    ...     again = load_recording(f"{folder}/a.csv")
    >>> len(again), bool(abs(again.omega - lane.omega).max() < 1e-12)
    (101, True)
    """
    path = Path(checked_path(path, "the recording")).absolute()
    return propose_import(ReadOptions(file=path.name, **options).in_folder(path.parent)).loaded.recording


def write_recording(
    recording: Recording,
    path: str | Path,
    *,
    epoch: str = EPOCH,
    name: str = "BODY",
    frame: str = "EME2000",
    **convention: str,
) -> None:
    """Write a recording to the file `path`, whole or not at all: a table of text (.csv) in the `convention` that is asked for, by
    the names of `Reading`, such as `attitude="angles", sequence="313"`; or a CCSDS attitude ephemeris message (.aem) of the object
    `name`, from `frame` to its body, whose t = 0 is at `epoch`.

    Raises `InputError` for what cannot be written.

    >>> import tempfile
    >>> t = np.linspace(0.0, 1.0, 11)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_recording(Recording(t, omega=np.tile([0.0, 0.0, 1.0], (11, 1))), f"{folder}/a.csv")
    ...     Path(f"{folder}/a.csv").read_text().splitlines()[:2]
    ['t [s],omega_x [rad/s],omega_y [rad/s],omega_z [rad/s]', '0.0,0.0,0.0,1.0']
    """
    write_recording_to(
        recording,
        Path(checked_path(path, "the recording")),
        convention_from_names(convention),
        epoch=epoch,
        name=name,
        frame=frame,
    )


def simulate(
    preset: Preset | str | Path,
    *,
    lanes: Sequence[LaneLike] | LaneLike | None = None,
    integrator: str | None = None,
    dt: float | None = None,
    duration: float | None = None,
    sample_interval: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    progress: bool | Progress = False,
    jobs: int | None = None,
) -> Run:
    """Run `preset`, or the one of that name, to its end and return it. What is given replaces the preset's own choice.

    `lanes` are lane ids or `Lane`s; `integrator`, `dt` [s] and the tolerances `rtol` and `atol` of adaptive integrators
    hold for lanes that do not say; `duration` and `sample_interval` [s] for the run. So many `jobs` compute lanes at once,
    one for each processor. `progress=True` shows a bar, in a notebook too; a function hears what share is done, 0 to 1.
    Ctrl-C ends it within a second. Raises `InputError` for what cannot be used; a lane that fails while running carries its
    status and message instead.

    >>> run = simulate(load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)
    >>> lane = run["newton_euler"]
    >>> lane.status, lane.p.shape, lane.h.shape  # three samples; Euler parameters, h in body components [kg m^2/s]
    ('ok', (3, 4), (3, 3))
    """
    preset = _as_preset(preset)
    simulation = Simulation(
        preset.with_run(
            lanes=lanes,
            integrator=integrator,
            dt=dt,
            duration=duration,
            sample_interval=sample_interval,
            rtol=rtol,
            atol=atol,
        )
    )
    count = checked_jobs(jobs)
    with progress_reporter(progress) as report_progress:
        simulation.complete(report_progress, count)
    return Run.from_simulation(simulation)


def simulate_many(
    preset: Preset | str | Path,
    values: Mapping[str, Sequence[Any] | np.ndarray],
    *,
    lanes: Sequence[LaneLike] | LaneLike | None = None,
    integrator: str | None = None,
    dt: float | None = None,
    duration: float | None = None,
    sample_interval: float | None = None,
    progress: bool | Progress = False,
    jobs: int | None = None,
) -> list[Run]:
    """A run for each of many starts or parameters: `values` maps keys as a preset's text has them, such as `body.inertia`,
    `initial.angular_velocity`, `loads[0].weight` or `run.dt`, to as many values each as there are runs. Lanes are computed as
    `simulate` does it, several at once; `integrator`, `dt`, `duration` and `sample_interval` hold as there. Raises `InputError`
    with the key at fault.

    >>> spins = np.linspace(1.0, 2.0, 3)[:, None] * [0.0, 0.1, 1.0]  # rad/s, body
    >>> preset = load_preset("torque_free").with_run(lanes=["newton_euler"], duration=0.02)
    >>> runs = simulate_many(preset, {"initial.angular_velocity": spins})
    >>> [float(run["newton_euler"].omega[0, 2]) for run in runs]
    [1.0, 1.5, 2.0]
    """
    preset = _as_preset(preset)
    count = checked_jobs(jobs)
    values_by_key = checked_value_lists(values)
    chosen = preset.with_run(
        lanes=lanes, integrator=integrator, dt=dt, duration=duration, sample_interval=sample_interval
    )
    runs = []
    for row in zip(*values_by_key.values(), strict=True):
        run_preset = chosen
        for key, value in zip(values_by_key, row, strict=True):
            run_preset = with_value(run_preset, key, value)
        runs.append(Simulation(run_preset))
    with progress_reporter(progress) as report_progress:
        complete(runs, report_progress, count)
    return [Run.from_simulation(simulation) for simulation in runs]


def rhs(lane: Solution, t: float, y: ArrayLike) -> np.ndarray:
    """The derivative (m,) of a state y (m,) at t [s] by the equations of a lane, as its integrator asks for it; `lane.state_names`
    says what is in a state. Raises `InputError` for a closed form, and a state of another length.

    >>> lane = simulate(load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> rhs(lane, 0.0, lane.states[0]).shape == lane.states[0].shape
    True
    """
    return _engine_lane(lane).derivative(checked_time(t), checked_numbers(y, "the state"))[0]


def multiplier(lane: Solution, t: float, y: ArrayLike) -> float:
    """Lambda [J] of a state y (m,) at t [s], from the solve that yields the derivative in a lane; NaN for forms without.

    >>> lane = simulate(load_preset("torque_free"), lanes=["lagrange_simplified/torque"], duration=0.02).lanes[0]
    >>> bool(multiplier(lane, 0.0, lane.states[0]) == lane.lam[0])
    True
    """
    return _engine_lane(lane).derivative(checked_time(t), checked_numbers(y, "the state"))[1]


def lagrangian(preset: Preset | str | Path, t: ArrayLike, p: ArrayLike, omega: ArrayLike) -> np.ndarray:
    """T - V (n,) [J] of a preset's body and loads at times t (n,) [s], p (n, 4) and omega (n, 3) [rad/s, body].

    >>> lane = simulate(load_preset("heavy_top"), lanes=["hamilton"], duration=0.02)["hamilton"]
    >>> found = lagrangian(load_preset("heavy_top"), lane.t, lane.p, lane.omega)
    >>> bool(np.allclose(found, lane.kinetic - lane.potential))
    True
    """
    preset = _as_preset(preset)
    if preset.body.has_inner_motion:
        raise InputError(
            "lagrangian", expected="a body in which nothing turns by itself", found="a ring or rotors",
            remedy="take lane.kinetic - lane.potential of a run, which are those of the whole", key="body",
        )  # fmt: skip
    rate, attitude = checked_numbers(omega, "omega", 3), checked_numbers(p, "p", 4)
    kinetic = 0.5 * np.einsum("...i,ij,...j->...", rate, preset.body.inertia, rate)
    potential_energy = total_potential(
        bind(preset.loads, preset.body), checked_numbers(t, "the times"), attitude
    )
    return np.asarray(kinetic - potential_energy)


def presets() -> dict[str, str]:
    """The title of every preset by its name, for `load_preset`.

    >>> presets()["heavy_top"]
    'Heavy symmetric top'
    """
    paths = preset_paths(resources.preset_folder(), resources.user_preset_folder())
    return {name: read_preset(path).title for name, path in paths.items()}


def quantities() -> dict[str, str]:
    """What every quantity of a lane is, with shape and unit, by its name.

    >>> quantities()["h"]
    'Angular momentum (n, 3) [kg m²/s], body components.'
    """
    return {name: quantity.description for name, quantity in QUANTITIES.items()}


@former_arguments(report="progress")
def study(
    preset: Preset | str | Path,
    *,
    lanes: Sequence[LaneLike] | LaneLike | None = None,
    integrators: str | Sequence[str] | None = None,
    steps: Sequence[float] | int | None = None,
    tolerances: Sequence[float] | int | None = None,
    duration: float | None = None,
    executor: "Executor | str | None" = None,
    jobs: int | None = None,
    progress: "Callable[[Study], object] | None" = None,
) -> "StudyResult":
    """Run `preset` in every lane, integrator and step, in `jobs` processes (one for each processor), and compare each run
    with the exact or a finer solution: `quatviz.analysis.studies.files.StudyResult` has tables, orders and figures.

    `integrators` hold for lanes that do not say; `steps` are steps [s], or how many halvings of a coarse one. With `tolerances`, or
    how many, each a tenth of the one before, adaptive integrators run over these, and lie beside those of fixed steps by what
    they cost. `executor` says who computes instead: `"threads"` of this process, or any executor of `concurrent.futures`.
    `progress` is called a few times a second with the `Study`, whose `cancel()` ends it with what has been measured. Raises
    `InputError` for what cannot be used; combinations that make no sense, and lanes that fail, are told in the result.

    >>> result = study(load_preset("torque_free"), lanes=["newton_euler"], steps=[0.02, 0.01], duration=0.2, jobs=1)
    >>> [f"{curve.name}: order {curve.fit.order:.1f}" for curve in result.curves()]
    ['newton_euler, rk4: order 4.0']
    """
    from quatviz.analysis.studies.plan import StudyPlan
    from quatviz.analysis.studies.study import Study

    preset = _as_preset(preset)
    plan = StudyPlan.create(
        preset, lanes=lanes, integrators=integrators, steps=steps, tolerances=tolerances, duration=duration
    )
    with Study(plan, executor, jobs=checked_jobs(jobs)) as study_job:
        return study_job.complete(progress)


def sweep(
    preset: Preset | str | Path,
    over: Mapping[str, Any] | None = None,
    *,
    lanes: Sequence[LaneLike] | LaneLike | None = None,
    measure: str | Sequence[str] = "flips",
    integrator: str | None = None,
    dt: float | None = None,
    duration: float | None = None,
    sample_interval: float | None = None,
    seed: int = 0,
    executor: "Executor | str | None" = None,
    jobs: int | None = None,
    progress: bool | Progress = False,
    path: str | Path | None = None,
) -> "xarray.Dataset":
    """Run `preset` with many numbers, and measure each run while it is computed: no run is kept.

    `over` maps addresses of numbers, such as `initial.angular_velocity[1]`, `body.inertia[2]`, `loads[0].weight` or
    `lanes[0].dt`, to lists, arrays or an `Axis` each; several make a grid, random ones points; left out, they and the
    measure are those of the preset's own map. `measure` names what is measured,
    `seed` draws random points; settings of the run are those of `simulate`. Chunks of runs are computed by `executor`: `jobs`
    `"threads"` of this process, which it is if left out, `"processes"`, or any executor of `concurrent.futures`. The data set has
    the measures over lanes and axes, with units, beside `status`, `ended` [s] and `reason` of each run; its attributes have the
    preset, and `warnings` as a JSON list. It is written to the file `path` (.nc, .zarr or .parquet) too, and beside that chunk by
    chunk while it is computed: a map that was ended, however it was, goes on there. Where the executor breaks, what was found by
    then is given with `complete` 0 and the `fault` among the attributes, and a warning. Raises `InputError` for what cannot be
    used, before any work; a run that is refused, or ends early, is a hole with its reason.

    >>> over = {"initial.angular_velocity[0]": [0.0, 0.2], "initial.angular_velocity[2]": [0.0]}
    >>> found = sweep(load_preset("intermediate_axis"), over, lanes="newton_euler", dt=1e-2)
    >>> found.flips.dims[1:], found.flips.values.tolist()
    (('initial.angular_velocity[0]', 'initial.angular_velocity[2]'), [[[0.0], [10.0]]])
    """
    from quatviz.analysis.sweeps.dataset import make_dataset
    from quatviz.analysis.sweeps.files import SweepStore
    from quatviz.analysis.sweeps.plan import SweepPlan
    from quatviz.analysis.sweeps.sweep import Sweep

    preset = _as_preset(preset)
    settings = {"integrator": integrator, "dt": dt, "duration": duration, "sample_interval": sample_interval}
    chosen = preset.with_run(lanes=lanes, **settings)
    plan = (
        SweepPlan.from_preset_map(chosen)
        if over is None
        else SweepPlan.create(chosen, over, measure=measure, seed=seed)
    )
    count = checked_jobs(jobs)
    store = None if path is None else SweepStore(plan, checked_path(path, "the file of a parameter map"))
    with (
        progress_reporter(progress) as report_progress,
        Sweep(plan, executor, jobs=count, store=store) as sweep_job,
    ):
        results = sweep_job.complete(lambda done: report_progress(done.points_computed / plan.point_count))
    fault = sweep_job.error_message
    if fault:
        warnings.warn(f"the map is not complete: {fault}", RuntimeWarning, stacklevel=2)
    dataset = make_dataset(plan, results, fault) if store is None else store.finish(results, fault)
    return dataset.as_xarray()


def fit_body(
    recording: "Recording",
    *,
    span: tuple[float, float] | None = None,
    axes: bool = True,
    bias: bool = True,
    scale: str = "",
    misalignment: bool = False,
    damping: bool = False,
    loss: str = "linear",
    progress: bool | Progress = False,
) -> "BodyFit":
    """The free body whose motion a recording is, within a `span` of its times [s], the free flight: principal moments as ratios,
    with intervals, and the start.

    `axes` says whether its principal axes may be turned in those of the recording, `bias` whether its rates may be off by a
    constant; `scale` is "", "common", or, with attitudes beside the rates, "each"; `misalignment` turns the axes of rates against
    those of attitudes; `damping` is viscous. `loss`, by SciPy's names, holds back samples that are far off: "huber", "soft_l1", or
    "cauchy", which all but leaves them out. `progress` as in `simulate`; what a function raises there ends the fit. Raises
    `InputError` for what cannot be fitted; `quatviz.analysis.fitting.result.BodyFit` says what cannot be known.

    >>> lane = simulate(load_preset("tumbling_brick"), lanes=["newton_euler"], duration=4.0)["newton_euler"]
    >>> fit = fit_body(Recording(lane.t, omega=lane.omega))
    >>> inertia = load_preset("tumbling_brick").body.inertia.diagonal()
    >>> bool(np.allclose(fit.moments, inertia / inertia.max(), atol=1e-6))
    True
    """
    from quatviz.analysis.fitting.fit import fit_body as fitted

    if not isinstance(recording, Recording):
        raise InputError(
            "the recording", expected="a recording", found=quote_value(recording),
            remedy="write for example quatviz.Recording(t, omega=omega)", topic="recordings#from-a-script",
        )  # fmt: skip
    t = recording.t
    rows = (
        slice(None)
        if span is None
        else slice(*np.searchsorted(t, (span[0], np.nextafter(span[1], np.inf))).tolist())
    )
    p, omega = (None if values is None else values[rows] for values in (recording.p, recording.omega))
    with progress_reporter(progress) as report_progress:
        return fitted(
            t[rows],
            p,
            omega,
            axes=axes,
            bias=bias,
            scale=scale,
            misalignment=misalignment,
            damping=damping,
            loss=loss,
            progress=report_progress,
        )


@former_arguments(report="progress")
def figures(
    folder: str | Path,
    *,
    formats: Sequence[str] = ("pdf", "svg", "png"),
    only: Sequence[str] = (),
    progress: "ExhibitProgress | None" = None,
) -> list[Path]:
    """Compute Figures 2 to 8 and Tables 3 and 5 of S3, the tables beside the published values, and write them into
    `folder`; the paths.

    `only` are names such as `figure_6` or `table_3`; `progress` hears the title of what is made next, how many are made, and
    of how many. Raises `InputError` for what cannot be used or written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in figures(folder, formats=["svg"], only=["table_3"])]
    ['table_3.svg', 'table_3.csv', 'table_3.md', 'figures.md']
    """
    from quatviz.export.exhibit_writer import write_exhibits

    return write_exhibits(folder, formats, only, progress=progress)


def _engine_lane(lane: object) -> LaneRun:
    """The lane as the engine has it; `InputError` for what is no lane, such as the run."""
    if isinstance(lane, Solution):
        return lane.engine
    raise InputError(
        "the lane", expected="a lane of a run", found=quote_value(lane),
        remedy='write for example run["hamilton"]', topic="scripting#what-a-lane-knows",
    )  # fmt: skip


def _as_preset(preset: Preset | str | Path) -> Preset:
    """The preset, or the one of that name or in that file."""
    if isinstance(preset, str | Path):
        return load_preset(preset)
    if not isinstance(preset, Preset):
        raise InputError(
            "the preset",
            expected="a preset, or the name of one",
            found=quote_value(preset),
            remedy='write for example quatviz.load_preset("torque_free")',
            topic="scripting#run-a-preset",
        )
    return preset
