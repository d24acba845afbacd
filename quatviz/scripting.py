"""The scripting interface: load a preset, run it, read every quantity, write tables. `import quatviz as qv` brings it."""

import importlib
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.parameters import shown
from quatviz.export.files import read_settings, write_table
from quatviz.export.formats import FORMATS, is_table
from quatviz.export.table import Table
from quatviz.look.look import Look
from quatviz.simulation.simulation import Simulation
from quatviz.text.files import refuse_ending
from quatviz.text.preset import Lane, Preset
from quatviz.text.preset_files import find_preset
from quatviz.text.preset_text import read_preset

if TYPE_CHECKING:
    import pandas

    from quatviz.export.exhibits import Report
    from quatviz.export.figures.drawing import PrintFigure
    from quatviz.export.web.page import PageView
    from quatviz.studies.files import Result
    from quatviz.studies.study import Study


def load_preset(name_or_path: str | Path) -> Preset:
    """The preset of that name (shipped, of an installed package, or your own), in that TOML file, which may be a session,
    or in a table that a run was written to, which repeats that run.

    Raises `InputError`, with file and line, for what cannot be used.

    >>> load_preset("heavy_top").title
    'Heavy symmetric top'
    """
    if is_table(name_or_path):
        return read_settings(name_or_path).preset
    return read_preset(find_preset(name_or_path, resources.preset_folder(), resources.own_preset_folder()))


class Run(Simulation):
    """A finished run. `run["hamilton"]` is a lane, iterating gives all of them; each has

    `t` (n,) [s], `p` (n, 4) scalar first, body to space; `omega`, `h` (n, 3) [rad/s, kg m^2/s, body] and `omega_space`,
    `h_space`; `kinetic`, `potential`, `energy` (n,) [J]; `constraint` (n,) |p|^2 - 1; `lam` (n,) [J], NaN without
    multiplier; and everything else in `quatviz.motion.observables.QUANTITIES`.
    `status` is `ok`, or why the lane ended early (`singular`, `not_finite`, `step_failed`, `no_closed_form`); `message`
    says so in a sentence. `digest` is a hash of every recorded state, which two equal runs share.

    >>> run = simulate(load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)
    >>> lane = run["newton_euler"]
    >>> lane.omega.shape, float(abs(lane.constraint).max()) < 1e-14
    ((3, 3), True)
    """

    def to_dataframe(self) -> "pandas.DataFrame":
        """A pandas table with index `t` [s] and columns such as `hamilton:h_1`, NaN after a lane's end.

        `attrs` holds the texts preset, versions and lanes, and under `units` the unit of each column.

        >>> run = simulate(load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)
        >>> frame = run.to_dataframe()
        >>> frame.shape[0], frame.attrs["units"]["newton_euler:h_1"]
        (3, 'kg m²/s')
        """
        import pandas

        table = Table.of(self)
        named = {name: values for column in table.columns for name, values in column.scalars}
        frame = pandas.DataFrame(named, index=pandas.Index(table.t, name="t"))
        units = {name: column.quantity.unit for column in table.columns for name, _ in column.scalars}
        frame.attrs = {**table.settings, "units": units}
        return frame

    def plot(
        self,
        quantities: Sequence[str] | None = None,
        lanes: Sequence[str] | None = None,
        *,
        panels: Sequence[str] = (),
        low: float = 0.0,
        high: float = math.inf,
        width: float = 180.0,
        height: float | None = None,
        font: str = "Inter",
        size: float = 8.0,
    ) -> "PrintFigure":
        """A matplotlib figure of the run from `low` to `high` [s], which a notebook shows and `save` writes, whole or not at all,
        with fonts and without a date.

        `quantities` are names of `quatviz.motion.observables.QUANTITIES`, `panels` of panels of the window, such as
        `multiplier`, `lanes` names of lanes; `width` and `height` are in mm, `size` of the type in points.
        """
        from quatviz.export.figures.drawing import draw
        from quatviz.export.figures.figure import QUANTITIES_OF_A_FIGURE, figure_of_run
        from quatviz.export.figures.paper import Paper

        chosen = (() if panels else QUANTITIES_OF_A_FIGURE) if quantities is None else quantities
        picture = figure_of_run(self, chosen, lanes, low, high, panels=panels)
        return draw(picture, Paper(width, height, font, size))

    def view(
        self,
        lanes: Sequence[str] | None = None,
        *,
        theme: str = "light",
        sequence: str | None = None,
        rate: float = 60.0,
        height: int = 720,
    ) -> "PageView":
        """The run as a page with the body in 3D, plots, lanes and a time slider: a notebook shows it, `height` pixels high,
        and `save(path)` writes it as one HTML file that needs no network.

        `lanes` are names of lanes, `theme` is "light" or "dark", `sequence` that of the Euler angles, `rate` how many
        samples are kept of a second. Raises `InputError` for what cannot be used.
        """
        from quatviz.export.web.page import PageView, page_of

        return PageView(page_of(self, lanes, theme=theme, sequence=sequence, rate=rate), height)

    def write(self, path: str | Path) -> None:
        """Write a table in the format that the ending of `path` names, one of a plug-in too, whole or not at all."""
        write_table(self, path)

    def show(self, look: Look | None = None) -> None:
        """Show the preset of this run in the window, as `look` has it, until the window is closed.

        `qv.Look(theme="light", panels={"h": True}, views={"number": 2})` says what is to be other than at a first start;
        without a look the window is as it was last. Raises `InputError` where there is no display.
        """
        # The window stands farther out than scripts do: it is found by its name, as the names of `quatviz` are.
        importlib.import_module("quatviz.app").run_window(self.preset, tour=False, look=look)

    def to_csv(self, path: str | Path) -> None:
        """Write a text table: see `quatviz.export.formats.csv.CSV`."""
        self._write(path, "csv")

    def to_parquet(self, path: str | Path) -> None:
        """Write a table of columns: see `quatviz.export.formats.parquet.Parquet`."""
        self._write(path, "parquet")

    def to_hdf5(self, path: str | Path) -> None:
        """Write arrays with attributes: see `quatviz.export.formats.hdf5.HDF5`."""
        self._write(path, "hdf5")

    def to_npz(self, path: str | Path) -> None:
        """Write NumPy arrays: see `quatviz.export.formats.npz.NPZ`."""
        self._write(path, "npz")

    def _write(self, path: str | Path, kind: str) -> None:
        """Write the table in the format called `kind`; the ending must tell it, for that is how a reader knows it."""
        suffixes = FORMATS[kind].suffixes
        refuse_ending(path, suffixes, f"run{suffixes[0]}")
        self.write(path)


def simulate(
    preset: Preset,
    *,
    lanes: Sequence[Lane | str] | None = None,
    integrator: str | None = None,
    dt: float | None = None,
    duration: float | None = None,
    sample_interval: float | None = None,
) -> Run:
    """Run `preset` to its end and return it. What is given replaces the preset's own choice.

    `lanes` are lane ids or `Lane`s; `integrator`, `dt` [s] hold for lanes that do not say; `duration` and
    `sample_interval` [s] for the run. Raises `InputError` for what cannot be used; a lane that fails while running
    carries its status and message instead.

    >>> run = simulate(load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)
    >>> lane = run["newton_euler"]
    >>> lane.status, lane.p.shape, lane.h.shape  # three samples; Euler parameters, h in body components [kg m^2/s]
    ('ok', (3, 4), (3, 3))
    """
    _refuse_no_preset(preset)
    run = Run(
        preset.with_run(
            lanes=lanes, integrator=integrator, dt=dt, duration=duration, sample_interval=sample_interval
        )
    )
    run.complete()
    return run


def study(
    preset: Preset,
    *,
    lanes: Sequence[Lane | str] | None = None,
    integrators: Sequence[str] | None = None,
    steps: Sequence[float] | int | None = None,
    duration: float | None = None,
    jobs: int | None = None,
    report: "Callable[[Study], object] | None" = None,
) -> "Result":
    """Run `preset` in every lane, integrator and step, in `jobs` processes (one for each processor), and compare each run
    with the exact or a finer solution: `quatviz.studies.result.Result` has tables, orders and figures.

    `integrators` hold for lanes that do not say; `steps` are steps [s], or how many halvings of a coarse one. `report` is
    called a few times a second with the `Study`, whose `cancel()` ends it with what has been measured. Raises `InputError` for
    what cannot be used; combinations that make no sense, and lanes that fail, are told in the result.

    >>> result = study(load_preset("torque_free"), lanes=["newton_euler"], steps=[0.02, 0.01], duration=0.2, jobs=1)
    >>> [f"{curve.name}: order {curve.fit.order:.1f}" for curve in result.curves()]
    ['newton_euler, rk4: order 4.0']
    """
    from quatviz.studies.plan import Plan
    from quatviz.studies.study import Study

    _refuse_no_preset(preset)
    plan = Plan.of(preset, lanes=lanes, integrators=integrators, steps=steps, duration=duration)
    with Study(plan, jobs=jobs) as running:
        return running.complete(report)


def figures(
    folder: str | Path,
    *,
    formats: Sequence[str] = ("pdf", "svg", "png"),
    only: Sequence[str] = (),
    report: "Report | None" = None,
) -> list[Path]:
    """Compute Figures 2 to 8 and Tables 3 and 5 of S3, the tables beside the published values, and write them into
    `folder`; the paths.

    `only` are names such as `figure_6` or `table_3`; `report` hears the title of what is made next, how many are made, and
    of how many. Raises `InputError` for what cannot be used or written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in figures(folder, formats=["svg"], only=["table_3"])]
    ['table_3.svg', 'table_3.csv', 'table_3.md', 'figures.md']
    """
    from quatviz.export.exhibits import write_exhibits

    return write_exhibits(folder, formats, only, report=report)


def _refuse_no_preset(preset: object) -> None:
    """A name in place of a preset is the first thing that one tries."""
    if not isinstance(preset, Preset):
        raise InputError(
            "the preset",
            expected="a preset",
            found=shown(preset),
            remedy='write for example quatviz.load_preset("torque_free")',
            topic="scripting#run-a-preset",
        )
