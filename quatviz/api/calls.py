"""Functions for scripts: load and run presets, studies, maps and fits, and the figures of the documents."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
from quatviz.simulation.simulation import Progress, Simulation, complete

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import xarray

    from quatviz.analysis.fitting.result import BodyFit
    from quatviz.analysis.studies.files import StudyResult
    from quatviz.analysis.studies.study import Study
    from quatviz.api.function_measures import Measures
    from quatviz.export.exhibit_writer import ExhibitProgress


def load_preset(name_or_path: str | Path) -> Preset:
    """Load a preset.

    Parameters
    ----------
    name_or_path
        Name of a preset, or path of a file. A name may be that of a shipped preset, of a preset of a plug-in package, or of
        one of your own presets. A file may be a preset in TOML, a session, or a table that a run was written to; the table
        gives the preset of that run.

    Raises
    ------
    InputError
        With file and line, if the preset cannot be used.

    Examples
    --------
    >>> load_preset("heavy_top").title
    'Heavy symmetric top'
    """
    name_or_path = checked_path(name_or_path, "the preset")
    if is_table(name_or_path):
        return read_session_of_table(name_or_path).preset
    return read_preset(find_preset(name_or_path, resources.preset_folder(), resources.user_preset_folder()))


def load_run(path: str | Path) -> Run:
    """Load a run from the table that `Run.write` wrote, without computing anything.

    The lanes have the recorded quantities and samples only. `run.preset` repeats the run, `run.versions` describes
    the program that computed it, and `run.missing` lists what this installation lacks to repeat it.

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
    """Load a recording and convert it to the conventions of quatviz.

    Parameters
    ----------
    path
        File of the recording.
    **options
        Fields of `ReadOptions`. Options that are not given are detected from the file. If it contains attitude
        and rates that determine their conventions clearly, the best-fitting conventions are used.

    Raises
    ------
    InputError
        With file and line, if the recording cannot be used.

    Examples
    --------
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
    """Write a recording to a file atomically.

    Parameters
    ----------
    recording
        Recording to write.
    path
        A text table (.csv), or a CCSDS attitude ephemeris message (.aem).
    epoch
        Date and time of t = 0 in an .aem file.
    name
        Name of the object in an .aem file.
    frame
        Reference frame of the attitudes in an .aem file.
    **convention
        Convention of a .csv file, by the names of `ReadOptions`, such as `attitude="angles", sequence="313"`.

    Raises
    ------
    InputError
        If the recording cannot be written.

    Examples
    --------
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
    """Run a preset to its end.

    Parameters
    ----------
    preset
        Preset, or its name or path. The other arguments override its settings.
    lanes
        Ids of formulations, or `Lane`s.
    integrator, dt, rtol, atol
        Integrator, time step [s] and tolerances of lanes without their own.
    duration, sample_interval
        Duration of the run, and interval between recorded samples [s].
    progress
        True shows a bar, also in a notebook. A function is called with the completed fraction, 0 to 1.
    jobs
        Number of lanes computed in parallel, by default one per processor.

    Returns
    -------
    Run
        The finished run. A lane that fails while running has a status and message instead of raising an error.
        Ctrl-C ends the run within a second.

    Raises
    ------
    InputError
        For arguments that cannot be used.

    Examples
    --------
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
    """Run a preset with many initial states or parameters, and return one run for each.

    Parameters
    ----------
    preset
        Preset, or its name or path.
    values
        Values by key of the preset, such as `body.inertia`, `initial.angular_velocity`, `loads[0].weight` or
        `run.dt`, with one value for each run.
    lanes, integrator, dt, duration, sample_interval, progress, jobs
        As in `simulate`.

    Raises
    ------
    InputError
        With the rejected key.

    Examples
    --------
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


def rhs(lane: Solution, t: float, y: ArrayLike) -> NDArray[np.float64]:
    """Return the time derivative of a state according to the equations of a lane, as `lane.rhs` does.

    Parameters
    ----------
    lane
        Lane of a run.
    t
        Time [s].
    y
        State (m,), or one state in each column (m, k). `lane.state_names` names the components.

    Returns
    -------
    ndarray
        Derivatives, with the shape of `y`.

    Raises
    ------
    InputError
        For a closed form, or a state of another length.

    Examples
    --------
    >>> lane = simulate(load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)["newton_euler"]
    >>> rhs(lane, 0.0, lane.states[0]).shape == lane.states[0].shape
    True
    """
    return _checked_lane(lane).rhs(t, y)


def multiplier(lane: Solution, t: float, y: ArrayLike) -> float:
    """Return the Lagrange multiplier [J] for a state y (m,) at time t [s], or NaN for a formulation without
    multiplier. It follows from the same linear system as the derivative of the state.

    >>> lane = simulate(load_preset("torque_free"), lanes=["lagrange_simplified/torque"], duration=0.02).lanes[0]
    >>> bool(multiplier(lane, 0.0, lane.states[0]) == lane.lam[0])
    True
    """
    engine_lane = _checked_lane(lane).engine
    return engine_lane.derivative(checked_time(t), checked_numbers(y, "the state"))[1]


def lagrangian(
    preset: Preset | str | Path, t: ArrayLike, p: ArrayLike, omega: ArrayLike
) -> NDArray[np.float64]:
    """Return T - V (n,) [J] of the body and loads of a preset.

    Parameters
    ----------
    preset
        Preset, or its name or path. Its body must have no ring and no rotors.
    t
        Times (n,) [s].
    p
        Euler parameters (n, 4).
    omega
        Angular velocity (n, 3) [rad/s], body components.

    Examples
    --------
    >>> lane = simulate(load_preset("heavy_top"), lanes=["hamilton"], duration=0.02)["hamilton"]
    >>> values = lagrangian(load_preset("heavy_top"), lane.t, lane.p, lane.omega)
    >>> bool(np.allclose(values, lane.kinetic - lane.potential))
    True
    """
    preset = _as_preset(preset)
    if preset.body.has_inner_motion:
        raise InputError(
            "lagrangian", expected="a body without moving parts", found="a ring or rotors",
            remedy="use lane.kinetic - lane.potential of a run, which include these parts", key="body",
        )  # fmt: skip
    rate, attitude = checked_numbers(omega, "omega", 3), checked_numbers(p, "p", 4)
    kinetic = 0.5 * np.einsum("...i,ij,...j->...", rate, preset.body.inertia, rate)
    potential_energy = total_potential(
        bind(preset.loads, preset.body), checked_numbers(t, "the times"), attitude
    )
    return np.asarray(kinetic - potential_energy)


def presets() -> dict[str, str]:
    """Return the title of every preset by the name that `load_preset` accepts.

    >>> presets()["heavy_top"]
    'Heavy symmetric top'
    """
    paths = preset_paths(resources.preset_folder(), resources.user_preset_folder())
    return {name: read_preset(path).title for name, path in paths.items()}


def quantities() -> dict[str, str]:
    """Return a description of every quantity of a lane, with shape and unit, by name.

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
    """Run a preset with every combination of lane, integrator and step, and compare each run with the exact or a
    finer solution.

    Parameters
    ----------
    preset
        Preset, or its name or path.
    lanes
        As in `simulate`.
    integrators
        Integrators of lanes without their own.
    steps
        Time steps [s], or the number of halvings of a coarse step.
    tolerances
        Tolerances of adaptive integrators, or their number; each is then a tenth of the previous one. Adaptive
        and fixed-step integrators are compared by their cost.
    duration
        Duration of the run [s].
    executor
        "threads" of this process, any executor of `concurrent.futures`, or None for processes.
    jobs
        Number of processes, by default one per processor.
    progress
        Function that is called with the `Study` a few times per second. `Study.cancel()` ends it with the
        results so far.

    Returns
    -------
    quatviz.analysis.studies.files.StudyResult
        Tables, orders and figures. Combinations that make no sense and lanes that fail are reported in it.

    Raises
    ------
    InputError
        For arguments that cannot be used.

    Examples
    --------
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
    measure: "Measures" = "flips",
    integrator: str | None = None,
    dt: float | None = None,
    duration: float | None = None,
    sample_interval: float | None = None,
    seed: int = 0,
    executor: "Executor | str | None" = None,
    jobs: int | None = None,
    progress: bool | Progress = False,
    path: str | Path | None = None,
    squeeze: bool = False,
) -> "xarray.Dataset":
    """Run a preset for many values of its numbers and compute measures of each run. The runs themselves are not kept.

    Parameters
    ----------
    preset
        Preset, or its name or path.
    over
        Values by address of a number, such as `initial.angular_velocity[1]`, `body.inertia[2]`, `loads[0].weight` or
        `lanes[0].dt`: a list, an array or an `Axis` each. The end of an address, such as `weight`, suffices if no other
        address has the same end. It then names the axis in the result. Several addresses form a grid, random axes form
        points. None uses the axes and measure of the preset's own map.
    lanes, integrator, dt, duration, sample_interval, progress
        As in `simulate`.
    measure
        Names of measures, functions that return a number for a finished lane, or a mapping from names to these
        functions. Functions have no value for a run that ends early.
    seed
        Seed of random points.
    executor
        "threads" of this process (default), "processes", or any executor of `concurrent.futures`. It computes
        the runs in chunks.
    jobs
        Number of threads or processes.
    path
        File for the data set (.nc, .zarr or .parquet). Finished chunks are stored beside it during the
        computation, so that an interrupted map can be continued by the same call. A finished .nc or .zarr file of
        the same map is read instead of computing it again.
    squeeze
        True to leave out the dimension `lane` of a single lane.

    Returns
    -------
    xarray.Dataset
        Measures over lanes and axes, with units, and `status`, `ended` [s] and `reason` of each run. Its
        attributes contain the preset, and `warnings` as a JSON list. A run that is rejected or ends early is a
        gap with its reason. If the executor fails, a warning is issued and the data set contains the results so
        far. Its attribute `complete` is then 0, and `fault` gives the cause.

    Raises
    ------
    InputError
        For arguments that cannot be used, before anything is computed.

    Examples
    --------
    >>> over = {"initial.angular_velocity[0]": [0.0, 0.2], "initial.angular_velocity[2]": [0.0]}
    >>> flips = sweep(load_preset("intermediate_axis"), over, lanes="newton_euler", dt=1e-2).flips
    >>> flips.dims[1:], flips.values.tolist()
    (('initial.angular_velocity[0]', 'initial.angular_velocity[2]'), [[[0.0], [10.0]]])
    >>> peak = {"peak": lambda lane: abs(lane.omega[:, 1]).max()}  # rad/s
    >>> rates = sweep("torque_free", {"inertia[2]": [150.0, 200.0]}, lanes="newton_euler", measure=peak, squeeze=True)
    >>> rates.peak.dims, rates.peak.shape
    (('inertia[2]',), (2,))
    """
    from quatviz.analysis.sweeps.dataset import make_dataset
    from quatviz.analysis.sweeps.files import SweepStore
    from quatviz.analysis.sweeps.plan import SweepPlan
    from quatviz.analysis.sweeps.sweep import Sweep
    from quatviz.api.function_measures import as_measures

    preset = _as_preset(preset)
    settings = {"integrator": integrator, "dt": dt, "duration": duration, "sample_interval": sample_interval}
    chosen = preset.with_run(lanes=lanes, **settings)
    plan = (
        SweepPlan.from_preset_map(chosen)
        if over is None
        else SweepPlan.create(chosen, over, measure=as_measures(measure), seed=seed)
    )
    count = checked_jobs(jobs)
    store = None if path is None else SweepStore(plan, checked_path(path, "the file of a parameter map"))
    finished = None if store is None else store.finished_dataset()
    if finished is not None:
        return _squeezed(finished, squeeze)
    with (
        progress_reporter(progress) as report_progress,
        Sweep(plan, executor, jobs=count, store=store) as sweep_job,
    ):
        results = sweep_job.complete(lambda done: report_progress(done.points_computed / plan.point_count))
    fault = sweep_job.error_message
    if fault:
        warnings.warn(f"the map is incomplete: {fault}", RuntimeWarning, stacklevel=2)
    dataset = make_dataset(plan, results, fault) if store is None else store.finish(results, fault)
    return _squeezed(dataset.as_xarray(), squeeze)


def _squeezed(dataset: "xarray.Dataset", squeeze: bool) -> "xarray.Dataset":
    """Return the data set without the dimension of a single lane, if `squeeze` is True."""
    return dataset.squeeze("lane") if squeeze and dataset.sizes["lane"] == 1 else dataset


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
    """Fit the free rigid body that reproduces a recording: ratios of its principal moments with confidence
    intervals, and the initial state.

    Parameters
    ----------
    recording
        Recording of a free flight.
    span
        Time range of the free flight [s]. None uses the whole recording.
    axes
        True if the principal axes may be rotated relative to the axes of the recording.
    bias
        True to fit a constant bias of the rates.
    scale
        Scale factor of the rates: "" for none, "common", or "each" for one per axis, which needs attitudes too.
    misalignment
        True to fit a rotation between the axes of the rates and those of the attitudes.
    damping
        True to fit viscous damping.
    loss
        Loss function by its name in SciPy. "huber" and "soft_l1" limit the weight of outliers, "cauchy" nearly
        ignores them.
    progress
        As in `simulate`. An exception raised by the function ends the fit.

    Returns
    -------
    quatviz.analysis.fitting.result.BodyFit
        The fit, including statements on what the recording does not determine.

    Raises
    ------
    InputError
        If the recording cannot be fitted.

    Examples
    --------
    >>> lane = simulate(load_preset("tumbling_brick"), lanes=["newton_euler"], duration=4.0)["newton_euler"]
    >>> fit = fit_body(Recording(lane.t, omega=lane.omega))
    >>> inertia = load_preset("tumbling_brick").body.inertia.diagonal()
    >>> bool(np.allclose(fit.moments, inertia / inertia.max(), atol=1e-6))
    True
    """
    from quatviz.analysis.fitting.fit import fit_body as fit_samples

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
        return fit_samples(
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
    """Compute Figures 2 to 8 and Tables 3 and 5 of S3 and write them to a folder. Tables include the published values.

    Parameters
    ----------
    folder
        Folder for the files.
    formats
        File formats of the figures.
    only
        Names such as `figure_6` or `table_3`. Empty selects all.
    progress
        Function that is called with the title of the next figure or table, the number of finished ones, and their
        total number.

    Returns
    -------
    list of Path
        The written files.

    Raises
    ------
    InputError
        For arguments that cannot be used, or files that cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in figures(folder, formats=["svg"], only=["table_3"])]
    ['table_3.svg', 'table_3.csv', 'table_3.md', 'figures.md']
    """
    from quatviz.export.exhibit_writer import write_exhibits

    return write_exhibits(folder, formats, only, progress=progress)


def _checked_lane(lane: object) -> Solution:
    """Return a lane of a run. Raise an `InputError` for anything else, such as a run."""
    if isinstance(lane, Solution):
        return lane
    raise InputError(
        "the lane", expected="a lane of a run", found=quote_value(lane),
        remedy='write for example run["hamilton"]', topic="scripting#results-of-a-lane",
    )  # fmt: skip


def _as_preset(preset: Preset | str | Path) -> Preset:
    """Return a preset that is given directly or by its name or path."""
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
