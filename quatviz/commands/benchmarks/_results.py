"""Results of benchmarks: values with references, scalings and remarks. They can be written as text, as Markdown and as
objects."""

import os
import platform
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import nnls

from quatviz.base import markdown
from quatviz.base.version import __version__
from quatviz.commands.support.terminal import format_table

_HEADER = ("", "figure", "value", "reach", "beside", "ratio")
_LIBRARIES = ("numpy", "scipy", "numba", "PySide6-Essentials", "pyqtgraph")


@dataclass(frozen=True)
class BenchmarkResult:
    """One measured value, with a reference measured in the same run."""

    name: str
    """Name of the measured quantity."""
    value: float
    unit: str
    reference: "BenchmarkResult | None" = None
    """Another result of the same run with which this value is compared, or None."""
    reach: float | None = None
    """Target that the value should meet, or None. It is the largest accepted value, or the smallest one if `least` is True."""
    least: bool = False
    spread: float | None = None
    """Half the interquartile range of the repeated measurements, in the unit of the value, or None."""
    error: float | None = None
    """Numerical error of the result, or None."""
    why: str = ""
    """Reason why the target is missed, or ""."""

    @property
    def ratio(self) -> float | None:
        """Ratio of the value to the reference, or None."""
        return None if self.reference is None else self.value / self.reference.value

    @property
    def ok(self) -> bool | None:
        """True if the value meets its target; None without a target."""
        if self.reach is None:
            return None
        return self.value >= self.reach if self.least else self.value <= self.reach

    def as_dict(self) -> dict[str, Any]:
        reference = None if self.reference is None else self.reference.name
        return {**vars(self), "reference": reference, "ratio": self.ratio, "ok": self.ok}


class LinearFit(NamedTuple):
    """Straight line `fixed + slope * n` through measured values, for sizes n.

    The coefficients are non-negative and minimize the sum of squared relative errors. `exponent` is that of a power law
    n^exponent fitted to the upper half of the sizes. A straight line is adequate if the exponent is close to 1.
    """

    fixed: float
    slope: float
    exponent: float


@dataclass(frozen=True)
class ScalingResult:
    """Values (n,) in the unit `unit`, measured for n sizes of one quantity. `over` names this quantity, such as "lanes"."""

    name: str
    over: str
    sizes: Sequence[float]
    values: Sequence[float]
    unit: str

    @property
    def fit(self) -> LinearFit:
        sizes, values = np.array(self.sizes, float), np.array(self.values, float)
        (intercept, slope), _ = nnls(np.column_stack([1 / values, sizes / values]), np.ones(len(sizes)))
        upper = slice(min(len(sizes) // 2, len(sizes) - 2), None)
        exponent = np.polyfit(np.log(sizes[upper]), np.log(values[upper]), 1)[0]
        return LinearFit(float(intercept), float(slope), float(exponent))

    @property
    def fit_text(self) -> str:
        """Text that states the fixed part, the slope and the exponent of the fitted line."""
        intercept, slope, exponent = self.fit
        return f"{intercept:.3g} + {slope:.3g} n {self.unit}, n^{exponent:.2f} at the upper end"

    def as_dict(self) -> dict[str, Any]:
        return {**vars(self), **self.fit._asdict()}


@dataclass(frozen=True)
class Remark:
    """A sentence for the reader of the results, for example on what was not measured."""

    text: str

    def as_dict(self) -> dict[str, Any]:
        return {"remark": self.text}


BenchmarkOutput = BenchmarkResult | ScalingResult | Remark


def machine_description() -> str:
    """Return a description of the machine: processor, system, versions, and load during the measurement."""
    match = re.search(r"model name\s*: (.*)", _read("/proc/cpuinfo"))
    processor = match[1] if match else platform.processor() or platform.machine()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    libraries = ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    return (
        f"{processor}, {os.cpu_count()} processors{load}; {platform.system()} {platform.release()}; "
        f"quatviz {__version__}, Python {platform.python_version()}, {libraries}"
    )


def _read(path: str) -> str:
    return Path(path).read_text("utf-8") if Path(path).exists() else ""


def text_of(findings: Iterable[BenchmarkOutput]) -> str:
    """Return the results as text for a terminal."""
    return _format_results(findings, format_table)


def markdown_of(findings: Iterable[BenchmarkOutput]) -> str:
    """Return the results as Markdown."""
    return _format_results(findings, lambda head, rows: markdown.format_markdown_table(head, rows))


def _format_results(findings: Iterable[BenchmarkOutput], table: Any) -> str:
    results = list(findings)
    figures = [result for result in results if isinstance(result, BenchmarkResult)]
    growths = [result for result in results if isinstance(result, ScalingResult)]
    parts = [machine_description()]
    if figures:
        parts.append(table(_HEADER, [_row(figure) for figure in figures]))
    if growths:
        rows = [(growth.name, growth.over, growth.fit_text, _measured_points(growth)) for growth in growths]
        parts.append(table(("growth of", "over n", "fitted", "measured (n: value)"), rows))
    parts += list(_notes(results))
    return "\n\n".join(parts)


def _notes(findings: Sequence[BenchmarkOutput]) -> Iterator[str]:
    """Yield the reasons for missed targets, each with the names of the results that missed them. Then yield the
    remarks."""
    missed: dict[str, list[str]] = {}
    for result in findings:
        if (
            isinstance(result, BenchmarkResult)
            and result.why
            and result.ok is False
            and result.name not in missed.setdefault(result.why, [])
        ):
            missed[result.why].append(result.name)
    yield from (f"{', '.join(names)}: {why}" for why, names in missed.items())
    yield from (result.text for result in findings if isinstance(result, Remark))


def _row(figure: BenchmarkResult) -> tuple[str, ...]:
    mark = {None: "", True: "ok", False: "MISS"}[figure.ok]
    value = _value(figure, f" {figure.unit}")
    sign = "≥" if figure.least else "≤"
    reach = "" if figure.reach is None else f"{sign} {_number(figure.reach)}"
    if figure.reference is None or figure.ratio is None:
        return mark, figure.name, value, reach, "", ""
    limit = f" ({sign} {_times(figure.reach / figure.reference.value)})" if figure.reach is not None else ""
    beside = f"{figure.reference.name}: {_value(figure.reference)}"
    return mark, figure.name, value, reach, beside, f"{_times(figure.ratio)}{limit}"


def _value(figure: BenchmarkResult, unit: str = "") -> str:
    spread = f" ± {figure.spread:.2g}" if figure.spread is not None else ""
    error = f", error {figure.error:.0e}" if figure.error is not None else ""
    return f"{_number(figure.value)}{spread}{unit}".rstrip() + error


def _number(value: float) -> str:
    return f"{value:.4g}" if abs(value) < 1e4 else f"{value:,.0f}"


def _times(ratio: float) -> str:
    """Return the ratio of a value to its reference as text. A ratio below 0.1 is written as a fraction 1/n."""
    return f"{ratio:.3g}" if not 0 < ratio < 0.1 else f"1/{1 / ratio:.0f}"


def _measured_points(growth: ScalingResult) -> str:
    pairs = zip(growth.sizes, growth.values, strict=True)
    return ", ".join(f"{size:g}: {value:.3g}" for size, value in pairs)
