"""A finished run: its lanes by name, with methods that plot, show and write them."""

import html
import importlib
import importlib.util
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from quatviz.api.argument_checks import checked_path
from quatviz.api.solution import Solution
from quatviz.base.deprecation import FormerName, former_arguments
from quatviz.base.errors import suggest_name
from quatviz.base.formatting import as_list
from quatviz.base.registry import Registry
from quatviz.display.view_state.view_state import ViewState
from quatviz.export.table import DEFAULT_QUANTITIES, NO_PRESET_PREFIX, Table, TableSelection, versions
from quatviz.export.table_files import (
    missing_package_text,
    refuse_target,
    session_without_missing,
    write_table_file,
)
from quatviz.files.preset import Preset
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.kernels import cache
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.simulation.compilation import ChildCompilation
from quatviz.simulation.simulation import Simulation, lane_names

if TYPE_CHECKING:
    import pandas
    import xarray

    from quatviz.export.figures.paper import PrintFigure
    from quatviz.export.web.page import PageView

_MAX_REPR_LANES = 12
"""Largest number of lanes in the text form of a run, so that it fits a screen."""


@dataclass(frozen=True, eq=False, repr=False)
class Run(Mapping[str, Solution]):
    """A finished run: a mapping from name to lane, `run["hamilton"]`. `run.lanes` are the lanes in order. Runs can
    be pickled and copied.

    >>> import quatviz as qv
    >>> run = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler", "hamilton"], duration=0.02)
    >>> list(run), "hamilton" in run, [lane.status for lane in run.lanes]
    (['newton_euler', 'hamilton'], True, ['ok', 'ok'])
    """

    preset: Preset
    """Preset of the run, including all overridden settings."""
    lanes: tuple[Solution, ...]
    versions: Mapping[str, str]
    """Versions of quatviz, its libraries and plug-ins, and the machine that computed the run."""
    missing: tuple[str, ...] = ()
    """Sentences about what this installation lacks to repeat the run, such as plug-ins; () for a computed run."""
    _table: Table | None = None
    """Table that the run was read from, or None."""

    @classmethod
    def from_simulation(cls, simulation: Simulation) -> Self:
        """Return the run that a simulation computed."""
        return cls(
            simulation.preset, tuple(map(Solution.from_lane, simulation.lanes)), versions(simulation.preset)
        )

    @classmethod
    def from_table(cls, table: Table, path: str | Path) -> Self:
        """Return the run in a table that was read from the file `path`."""
        text, missing = table.settings["preset"], []
        if text.startswith(NO_PRESET_PREFIX):
            first, *lines = text.splitlines()
            missing.append(first.removeprefix("# "))
            text = "\n".join(line.removeprefix("# ") for line in lines)
        session, skipped = session_without_missing(text, path)
        missing += skipped
        lane_records = json.loads(table.settings["lanes"])
        registry_names: list[tuple[Registry[Any], str]] = [
            *((FORMULATIONS, record["formulation"]) for record in lane_records),
            *((INTEGRATORS, record["integrator"]) for record in lane_records if record["integrator"]),
            *((QUANTITIES, name) for name in json.loads(table.settings["part"])["quantities"]),
        ]
        absent = {
            name: registry.family
            for registry, name in registry_names
            if name.partition("/")[0] not in registry
        }
        missing += [missing_package_text(name, family) for name, family in absent.items()]
        lane_specs = dict(zip(lane_names(session.preset.lanes), session.preset.lanes, strict=True))
        lanes = [Solution.from_table(record, lane_specs[record["name"]], table) for record in lane_records]
        return cls(
            session.preset, tuple(lanes), json.loads(table.settings["versions"]), tuple(missing), table
        )

    def __getitem__(self, name: str) -> Solution:
        for lane in self.lanes:
            if lane.name == name:
                return lane
        names = f"there are {', '.join(self)}"
        raise KeyError(f"no lane is called {name!r}; {suggest_name(str(name), self, otherwise=names)}")

    def _ipython_key_completions_(self) -> list[str]:
        """Return the completions that IPython and notebooks offer after `run["`."""
        return list(self)

    def __iter__(self) -> Iterator[str]:
        return (lane.name for lane in self.lanes)

    def __len__(self) -> int:
        return len(self.lanes)

    def orientation_error(self, lane: str, reference: str) -> NDArray[np.float64]:
        """Return the angle (n,) [rad] between the attitudes of two lanes at their common samples."""
        p, reference_p = self[lane].p, self[reference].p
        common = min(len(p), len(reference_p))
        return relative_angle(p[:common], reference_p[:common])

    def to_dataframe(
        self,
        quantities: str | Sequence[str] | None = None,
        lanes: str | Sequence[str] | None = None,
        *,
        every: int = 1,
        start: float = 0.0,
        stop: float = math.inf,
    ) -> "pandas.DataFrame":
        """Return a pandas DataFrame with index `t` [s] and columns such as `hamilton:h_1`.

        Parameters
        ----------
        quantities
            Names of quantities, see `quatviz.quantities`. None selects the usual ones or, for a run that was read from a file,
            all quantities in that file.
        lanes
            Names of lanes. None selects all.
        every
            Use every n-th sample.
        start, stop
            Time range [s].

        Returns
        -------
        pandas.DataFrame
            Values, NaN after the end of a lane. `attrs` contains the texts preset, versions, lanes and part, and the unit of each
            column under `units`.

        Examples
        --------
        >>> import quatviz as qv
        >>> run = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)
        >>> frame = run.to_dataframe(["h", "angles_321"], every=2)
        >>> frame.shape, frame.attrs["units"]["newton_euler:h_1"]
        ((2, 6), 'kg m²/s')
        """
        import pandas

        table = self._select(quantities, lanes, start, stop, every)
        columns = {name: values for column in table.columns for name, values in column.scalars}
        frame = pandas.DataFrame(columns, index=pandas.Index(table.t, name="t"))
        units = {name: column.quantity.unit for column in table.columns for name, _ in column.scalars}
        frame.attrs = {**table.settings, "units": units}
        return frame

    def write(
        self,
        path: str | Path,
        quantities: str | Sequence[str] | None = None,
        lanes: str | Sequence[str] | None = None,
        *,
        every: int = 1,
        start: float = 0.0,
        stop: float = math.inf,
    ) -> None:
        """Write a table to a file atomically. `quatviz.load_run` reads it.

        The extension of `path` selects the format: .csv, .parquet, .h5, .npz, .nc, or one of a plug-in. The other
        arguments are those of `to_dataframe`.
        """
        path = checked_path(path, "the file of a run")
        refuse_target(path)
        write_table_file(self._select(quantities, lanes, start, stop, every), path)

    def to_xarray(
        self,
        quantities: str | Sequence[str] | None = None,
        lanes: str | Sequence[str] | None = None,
        *,
        every: int = 1,
        start: float = 0.0,
        stop: float = math.inf,
    ) -> "xarray.Dataset":
        """Return an xarray Dataset with a variable for each quantity over `lane`, `t` [s] and its components, such
        as `h_component`.

        Variables have title, unit and frame as attributes, and `units` and `long_name` for plots. The arguments are
        those of `to_dataframe`.
        """
        return self._select(quantities, lanes, start, stop, every).as_xarray()

    def _quantity_names(self, quantities: str | Sequence[str] | None) -> Sequence[str]:
        """Return the given quantities.

        If `quantities` is None, return the quantities in the file from which the run was read or, for a
        computed run, the default quantities.
        """
        if quantities is not None:
            return as_list(quantities)
        if self._table is None:
            return DEFAULT_QUANTITIES
        return list(dict.fromkeys(column.quantity.name for column in self._table.columns))

    def _select(
        self,
        quantities: str | Sequence[str] | None,
        lanes: str | Sequence[str] | None,
        start: float,
        stop: float,
        every: int,
    ) -> Table:
        chosen = None if lanes is None else as_list(lanes)
        selection = TableSelection(self._quantity_names(quantities), chosen, start, stop, every)
        return (
            Table.from_run(self.engine, selection) if self._table is None else self._table.select(selection)
        )

    def plot(
        self,
        quantities: str | Sequence[str] | None = None,
        lanes: str | Sequence[str] | None = None,
        *,
        panels: str | Sequence[str] = (),
        start: float = 0.0,
        stop: float = math.inf,
        width: float = 180.0,
        height: float | None = None,
        font: str = "Inter",
        size: float = 8.0,
    ) -> "PrintFigure":
        """Return a matplotlib figure of the run.

        A notebook shows the figure. Its method `save` writes it atomically, with embedded fonts and without a date.

        Parameters
        ----------
        quantities
            Names of quantities. None selects the usual ones, or none if `panels` are given.
        lanes
            Names of lanes. None selects all.
        panels
            Names of panels of the window, such as `multiplier`.
        start, stop
            Time range [s].
        width, height
            Size [mm].
        font, size
            Font and its size [points].

        Raises
        ------
        InputError
            For arguments that cannot be used.

        Examples
        --------
        >>> import quatviz as qv
        >>> run = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)
        >>> figure = run.plot(["omega", "kinetic"], width=90)
        >>> len(figure.axes)
        2
        """
        from quatviz.export.figures.drawing import draw_figure
        from quatviz.export.figures.figure import DEFAULT_QUANTITIES, make_run_figure, nothing_to_draw_error
        from quatviz.export.figures.paper import Paper

        default_quantities = () if panels else DEFAULT_QUANTITIES
        selected = [
            as_list(names) for names in (default_quantities if quantities is None else quantities, panels)
        ]
        chosen = None if lanes is None else as_list(lanes)
        picture = make_run_figure(self.engine, selected[0], chosen, start, stop, panels=selected[1])
        if not picture.panels:
            raise nothing_to_draw_error()
        return draw_figure(picture, Paper(width, height, font, size))

    def view(
        self,
        lanes: str | Sequence[str] | None = None,
        *,
        theme: str = "light",
        sequence: str | None = None,
        rate: float = 60.0,
        height: int = 720,
    ) -> "PageView":
        """Return a page with the body in 3D, plots, lanes and a time slider.

        A notebook shows the page. Its method `save(path)` writes it as one HTML file that needs no network.

        Parameters
        ----------
        lanes
            Names of lanes. None selects all.
        theme
            "light" or "dark".
        sequence
            Sequence of the Euler angles.
        rate
            Samples per second in the page.
        height
            Height in a notebook [pixels].

        Raises
        ------
        InputError
            For arguments that cannot be used.
        """
        from quatviz.export.web.page import PageView, make_page

        chosen = None if lanes is None else as_list(lanes)
        page = make_page(self.engine, chosen, theme=theme, sequence=sequence, rate=rate)
        return PageView(page, height)

    @former_arguments(look="view_state")
    def show(self, view_state: ViewState | None = None) -> None:
        """Show the preset of this run in the window until the window is closed.

        Parameters
        ----------
        view_state
            View options that differ from those of a first start, such as `qv.ViewState(theme="light",
            panels={"h": True}, views={"number": 2})`. None shows the window as it was left.

        Raises
        ------
        InputError
            If there is no display.
        """
        # Imported by name because the layer rule forbids imports of the window in this package.
        run_window = importlib.import_module("quatviz.app").run_window
        with (
            cache.writable_cache() as cache_fault,
            closing(ChildCompilation(self.preset, cache_fault)) as preparation,
        ):
            run_window(self.preset, tour=False, view_state=view_state, preparation=preparation)

    @cached_property
    def engine(self) -> Simulation:
        """The simulation of this run, for panels, figures, pages and tables."""
        return Simulation.restored(self.preset, [lane.engine for lane in self.lanes])

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "engine"}

    def __deepcopy__(self, memo: Mapping[int, object]) -> Self:
        return self

    def _lane_rows(self) -> Iterator[tuple[str, ...]]:
        """Yield one tuple for each lane, from which the text form of the run is made: name, status, sample
        count, end time and message.
        """
        for lane in self.lanes[:_MAX_REPR_LANES]:
            end = f"{lane.t[-1]:g} s" if len(lane) else ""
            yield lane.name, lane.status, f"{len(lane)} samples", end, lane.message
        if len(self) > _MAX_REPR_LANES:
            yield f"and {len(self) - _MAX_REPR_LANES} more", "", "", "", ""

    def __repr__(self) -> str:
        rows = [[_truncate(cell, 40) for cell in row] for row in self._lane_rows()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
        head = f"<run of {_truncate(self.preset.title, 60)}, {self.preset.run.duration:g} s>"
        return "\n".join(
            [head, *(f"  {line}" for line in lines), *(f"  missing: {sentence}" for sentence in self.missing)]
        )

    def _repr_html_(self) -> str:
        head = f"<caption>{html.escape(self.preset.title)}, {self.preset.run.duration:g} s</caption>"
        rows = (
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self._lane_rows()
        )
        return f"<table>{head}{''.join(rows)}</table>"

    lacks = FormerName("lacks", "missing")


def _truncate(text: str, max_length: int) -> str:
    return text if len(text) <= max_length else text[: max_length - 1] + "…"
