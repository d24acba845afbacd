"""A run as a table: one row per sample, every lane beside the others, and all that is needed to repeat it."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from quatviz.core.observables import QUANTITIES, Motion, Quantity
from quatviz.core.preset_text import format_preset
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.version import __version__

QUANTITIES_OF_A_TABLE = ("p", "omega", "h", "energy", "constraint", "constraint_rate", "lam", "lam_theory")


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
    """Times `t` (n,) [s], the columns of every lane, and `settings`, three texts that every format carries:

    `preset`, the TOML text that repeats the run, with all that was overridden in place; `versions`, JSON, what computed
    it; `lanes`, JSON, a list of name, status and message.
    """

    t: np.ndarray
    columns: Sequence[Column]
    settings: dict[str, str]

    @classmethod
    def of(cls, run: Simulation, quantities: Sequence[str] = QUANTITIES_OF_A_TABLE) -> Table:
        """The table of `run` as far as it is computed. `quantities` are names of `core.observables.QUANTITIES`; those that
        only few lanes have are there for those lanes."""
        length = max(lane.samples for lane in run)
        return cls(
            t=np.arange(length) * run.interval,
            columns=[column for lane in run for column in _columns_of(lane, quantities, length)],
            settings={
                "preset": format_preset(run.preset.with_run(duration=run.duration)),
                "versions": json.dumps(versions()),
                "lanes": json.dumps(
                    [{"name": lane.name, "status": lane.status, "message": lane.message} for lane in run]
                ),
            },
        )


def versions() -> dict[str, str]:
    """What decides about the last bits of a run: the program, its compiler and libraries, the machine."""
    libraries = {name: version(name) for name in ("numpy", "numba", "llvmlite")}
    return {
        "quatviz": __version__,
        "python": platform.python_version(),
        **libraries,
        "machine": f"{platform.system()} {platform.machine()}",
    }


def _columns_of(lane: LaneRun, quantities: Iterable[str], length: int) -> Iterator[Column]:
    motion = lane.motion(stop=length)
    present = [name for name, quantity in QUANTITIES.items() if quantity.rare and _has(quantity, motion)]
    for name in dict.fromkeys([*quantities, *present]):
        quantity = QUANTITIES[name]
        values = np.full((length, len(quantity.symbols)), np.nan)
        values[: len(motion.t)] = quantity.of(motion)
        yield Column(lane.name, quantity, values)


def _has(quantity: Quantity, motion: Motion) -> bool:
    """Whether the lane is one of the few that have this quantity."""
    return not np.isnan(quantity.of(motion)[:1]).all()
