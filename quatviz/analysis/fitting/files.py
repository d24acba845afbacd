"""Files of a fit: a table for programs, a table for documents, or a figure of the residuals. Each is written
completely or not at all.
"""

import json
import math
from pathlib import Path
from typing import Any

from quatviz.analysis.fitting.result import BodyFit
from quatviz.analysis.fitting.tables import (
    TABLE_TITLES,
    FitEstimate,
    correlation_of,
    estimates_of,
    summary_sentences,
    table_rows,
)
from quatviz.base.errors import phrase
from quatviz.base.formatting import capitalize_first
from quatviz.base.markdown import format_markdown_table
from quatviz.export.table import versions
from quatviz.files.files import checked_extension, refuse_unwritable, write_text
from quatviz.files.preset_edits import shown_title

TABLES, FIGURES = (".csv", ".json", ".md"), (".svg", ".pdf", ".png")


def write_fit(fit: BodyFit, path: str | Path) -> None:
    """Write the table (.csv, .json, .md) of a fit, or the figure (.svg, .pdf, .png) of its residuals.

    Raises `InputError` for another suffix, or if the file cannot be written.
    """
    tables, figures = ", ".join(TABLES), ", ".join(FIGURES)
    kinds = phrase("a table ({tables}) or a figure ({figures})", tables=tables, figures=figures)
    suffix = checked_extension(path, (*TABLES, *FIGURES), "fit.csv", kinds)
    refuse_unwritable(Path(path))
    if suffix in TABLES:
        write_text(path, {".csv": _format_csv, ".json": _format_json, ".md": _format_markdown}[suffix](fit))
        return
    from quatviz.analysis.fitting.figure import draw_fit  # imports matplotlib

    draw_fit(fit).save(path)


def _format_csv(fit: BodyFit) -> str:
    lines = [f"# {comment}" for comment in ("quatviz fit", *summary_sentences(fit))]
    lines.append("symbol,quantity,unit,value,standard deviation,low,high")
    for estimate in estimates_of(fit):
        low, high = estimate.interval
        numbers = (
            f"{value:.12g}" if math.isfinite(value) else ""
            for value in (estimate.value, estimate.deviation, low, high)
        )
        lines.append(",".join([estimate.symbol, f'"{estimate.title}"', estimate.unit, *numbers]))
    return "\n".join(lines) + "\n"


def _format_json(fit: BodyFit) -> str:
    correlation_data = correlation_of(fit)
    data = {
        "estimates": [_estimate_record(item) for item in estimates_of(fit)],
        "correlation": {"symbols": list(correlation_data.symbols), "matrix": correlation_data.matrix.tolist()},
        "inertia": fit.inertia.tolist(),
        "residuals": [
            {
                "name": item.name, "unit": item.unit, "rms": item.rms, "noise": item.noise,
                "durbin_watson": item.whiteness.statistic, "white": item not in fit.non_white_residuals,
            }
            for item in fit.residual_components
        ],
        "span": [float(fit.residuals.t[0]), float(fit.residuals.t[-1])],
        "loss": fit.loss,
        "converged": fit.converged,
        "summary": [str(fit.sentence), *map(str, summary_sentences(fit))],
        "versions": versions(fit.preset),
    }  # fmt: skip
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _estimate_record(estimate: FitEstimate) -> dict[str, Any]:
    low, high = estimate.interval
    numbers = {"value": estimate.value, "standard_deviation": estimate.deviation, "low": low, "high": high}
    finite = {name: float(value) if math.isfinite(value) else None for name, value in numbers.items()}
    return {"symbol": estimate.symbol, "quantity": str(estimate.title), "unit": estimate.unit, **finite}


def _format_markdown(fit: BodyFit) -> str:
    parts = (
        f"# {shown_title(fit.preset)}",
        format_markdown_table(
            tuple(map(str, TABLE_TITLES)), [tuple(map(str, row)) for row in table_rows(fit)], range(1, 4)
        ),
        "\n".join(f"- {capitalize_first(sentence)}." for sentence in summary_sentences(fit)),
    )
    return "\n\n".join(parts) + "\n"
