"""A run as a table of text: one row per sample, every lane beside the others."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from quatviz.core.observables import QUANTITIES
from quatviz.core.preset_text import format_preset
from quatviz.simulation.simulation import Simulation

COLUMNS = ("p", "omega", "h", "energy", "constraint", "constraint_rate", "lam")


def write_csv(run: Simulation, path: Path, quantities: Sequence[str] = COLUMNS) -> None:
    """Write every sample of every lane to `path`: UTF-8, a header of `#` lines, then comma-separated numbers.

    The header holds the preset and the units, so that the file alone is enough to repeat the run. Where a lane
    ended early its cells are empty. The file appears whole or not at all: it is written beside its place and then renamed.
    """
    path = Path(path)
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", newline="\n", dir=path.parent, prefix=f".{path.name}-", delete=False
    ) as file:
        try:
            file.writelines(f"{line}\n" for line in _header(run, quantities))
            file.writelines(f"{line}\n" for line in _rows(run, quantities))
        except BaseException:
            file.close()
            os.unlink(file.name)
            raise
    os.chmod(file.name, 0o666 & ~_umask())  # a temporary file is private, a table is not
    os.replace(file.name, path)


def _header(run: Simulation, quantities: Sequence[str]) -> Iterator[str]:
    yield "# quatviz table, SI units; the preset that repeats this run:"
    for line in format_preset(run.preset).splitlines():
        yield f"#   {line}".rstrip()
    for lane in run:
        yield f"# lane {lane.name}: {lane.status} {lane.message}".rstrip()
    for name in quantities:
        quantity = QUANTITIES[name]
        unit = f" [{quantity.unit}]" if quantity.unit else ""
        frame = f", {quantity.frame} components" if quantity.frame else ""
        yield f"# {', '.join(quantity.columns)}: {quantity.title.lower()}{unit}{frame}"
    names = [column for name in quantities for column in QUANTITIES[name].columns]
    yield ",".join(["t", *(_quoted(f"{lane.name}:{name}") for lane in run for name in names)])


def _rows(run: Simulation, quantities: Sequence[str]) -> Iterator[str]:
    length = max(lane.samples for lane in run)
    width = sum(len(QUANTITIES[name].symbols) for name in quantities)
    blocks = []
    for lane in run:
        block = np.full((length, width), np.nan)
        motion = lane.motion()
        block[: lane.samples] = np.hstack([QUANTITIES[name].of(motion) for name in quantities])
        blocks.append(block)
    for index, row in enumerate(np.hstack(blocks)):
        cells = ("" if np.isnan(value) else f"{value:.17g}" for value in row)
        yield ",".join([f"{index * run.interval:.15g}", *cells])


def _quoted(name: str) -> str:
    if "," not in name and '"' not in name:
        return name
    return '"' + name.replace('"', '""') + '"'


def _umask() -> int:
    """The permissions that new files are made without; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
