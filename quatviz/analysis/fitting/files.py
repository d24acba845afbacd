"""A fit on disk: a table for programs, a table for documents, or a figure of what is left over; whole or not at all."""

import json
import math
from pathlib import Path
from typing import Any

from quatviz.analysis.fitting.result import BodyFit
from quatviz.analysis.fitting.tables import TABLE, Estimate, correlation, estimates, rows, sentences
from quatviz.base.errors import phrase
from quatviz.base.markdown import table
from quatviz.export.table import versions
from quatviz.files.files import refuse_ending, refuse_place, write_text

TABLES, FIGURES = (".csv", ".json", ".md"), (".svg", ".pdf", ".png")


def write_fit(fit: BodyFit, path: str | Path) -> None:
    """Write the table (.csv, .json, .md) of a fit, or the figure (.svg, .pdf, .png) of what is left over. `InputError` for another
    ending or a place that cannot be written."""
    tables, figures = ", ".join(TABLES), ", ".join(FIGURES)
    kinds = phrase("a table ({tables}) or a figure ({figures})", tables=tables, figures=figures)
    suffix = refuse_ending(path, (*TABLES, *FIGURES), "fit.csv", kinds)
    refuse_place(Path(path))
    if suffix in TABLES:
        write_text(path, {".csv": _csv, ".json": _json, ".md": _markdown}[suffix](fit))
        return
    from quatviz.analysis.fitting.figure import draw  # late, for matplotlib

    draw(fit).save(path)


def _csv(fit: BodyFit) -> str:
    lines = [f"# {said}" for said in ("quatviz fit", *sentences(fit))]
    lines.append("symbol,quantity,unit,value,standard deviation,low,high")
    for one in estimates(fit):
        low, high = one.interval
        numbers = (f"{value:.12g}" if math.isfinite(value) else "" for value in (one.value, one.deviation, low, high))  # fmt: skip
        lines.append(",".join([one.symbol, f'"{one.title}"', one.unit, *numbers]))
    return "\n".join(lines) + "\n"


def _json(fit: BodyFit) -> str:
    known = correlation(fit)
    told = {
        "estimates": [_plain(one) for one in estimates(fit)],
        "correlation": {"symbols": list(known.symbols), "matrix": known.matrix.tolist()},
        "inertia": fit.inertia.tolist(),
        "residuals": [
            {
                "name": one.name, "unit": one.unit, "rms": one.rms, "noise": one.noise,
                "durbin_watson": one.whiteness.statistic, "white": one not in fit.coloured,
            }
            for one in fit.residuals
        ],
        "span": [float(fit.left.t[0]), float(fit.left.t[-1])],
        "loss": fit.loss,
        "converged": fit.converged,
        "said": [str(fit.sentence), *map(str, sentences(fit))],
        "versions": versions(fit.preset),
    }  # fmt: skip
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def _plain(one: Estimate) -> dict[str, Any]:
    low, high = one.interval
    numbers = {"value": one.value, "standard_deviation": one.deviation, "low": low, "high": high}
    finite = {name: float(value) if math.isfinite(value) else None for name, value in numbers.items()}
    return {"symbol": one.symbol, "quantity": str(one.title), "unit": one.unit, **finite}


def _markdown(fit: BodyFit) -> str:
    parts = (
        f"# {fit.preset.title}",
        table(tuple(map(str, TABLE)), [tuple(map(str, row)) for row in rows(fit)], range(1, 4)),
        "\n".join(f"- {said}" for said in sentences(fit)),
    )
    return "\n\n".join(parts) + "\n"
