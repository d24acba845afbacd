"""Files of a study: a table for programs, a table for documents, or a figure. Each is written completely or not at all."""

import html
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quatviz.analysis.studies.measures import DEFAULT_MEASURE, MEASURES
from quatviz.analysis.studies.plan import StudyPlan
from quatviz.analysis.studies.result import StudyData, find_measure
from quatviz.analysis.studies.tables import column_titles, fit_lines, note_lines, table_rows
from quatviz.base.errors import phrase
from quatviz.base.formatting import as_list
from quatviz.base.markdown import format_markdown_table
from quatviz.export.table import versions
from quatviz.files.files import (
    checked_extension,
    escape_comment_formulas,
    format_csv_row,
    refuse_unwritable,
    replace_atomically,
    write_text,
)
from quatviz.files.preset import Lane
from quatviz.files.preset_edits import shown_title
from quatviz.files.preset_reading import format_preset

if TYPE_CHECKING:
    from quatviz.export.figures.paper import PrintFigure

TABLES, FIGURES = (".csv", ".json", ".md"), (".svg", ".pdf", ".png")


_MAX_REPR_LINES = 12
"""Largest number of lines that the `repr` of a study shows, so that it fits on a screen."""


class StudyResult(StudyData):
    """Result of a study, with methods to show and write it."""

    def __repr__(self) -> str:
        progress = f"{len(self.points)} of {len(self.plan.cases)} measured"
        head = f"<study of {shown_title(self.plan.preset)}, {self.plan.duration:g} s: {progress}>"
        lines = [*fit_lines(self, DEFAULT_MEASURE), *note_lines(self, DEFAULT_MEASURE)]
        remaining = [f"and {len(lines) - _MAX_REPR_LINES} more"] if len(lines) > _MAX_REPR_LINES else []
        return "\n  ".join([head, *lines[:_MAX_REPR_LINES], *remaining])

    def _repr_html_(self) -> str:
        head, *lines = map(html.escape, repr(self).split("\n"))
        rows = "".join(f"<tr><td style='text-align:left'>{line.strip()}</td></tr>" for line in lines)
        return f"<table><caption>{head[4:-4]}</caption>{rows}</table>"

    def write(self, path: str | Path, measure: str = DEFAULT_MEASURE) -> None:
        """Write a table (.csv, .json, .md) or a figure (.svg, .pdf, .png). An existing file is replaced only by a
        complete one.
        """
        write_study(self, path, measure)

    def plot(
        self,
        quantities: str | Sequence[str] | None = None,
        lanes: str | Sequence[str] | None = None,
        *,
        width: float = 180.0,
        height: float | None = None,
        font: str = "Inter",
        size: float = 8.0,
    ) -> "PrintFigure":
        """Return a matplotlib figure of error against step or tolerance, and against processor time.

        A notebook displays the figure. Its `save` embeds the fonts and writes no date, so that equal data
        give equal files.

        Parameters
        ----------
        quantities
            Names of error measures, such as "orientation" (the default) or "energy"; each gets a row of plots.
        lanes
            Names of the lanes to draw; by default all.
        width, height
            Size [mm]; by default the height follows from the number of rows.
        font, size
            Font family and size [points].

        Returns
        -------
        PrintFigure
            The figure.

        Raises
        ------
        InputError
            If a name is unknown or nothing remains to be drawn.

        Examples
        --------
        >>> import quatviz as qv
        >>> result = qv.study(qv.load_preset("torque_free"), lanes=["newton_euler"], steps=[0.02, 0.01], duration=0.2, jobs=1)
        >>> figure = result.plot(["orientation", "energy"], width=90)
        >>> len(figure.axes)
        4
        """
        from quatviz.analysis.studies.figure import draw_study
        from quatviz.export.figures.paper import Paper

        measures = as_list([DEFAULT_MEASURE] if quantities is None else quantities)
        chosen = None if lanes is None else as_list(lanes)
        return draw_study(self, measures, chosen, Paper(width, height, font, size))


def write_study(
    result: StudyData,
    path: str | Path,
    measure: str = DEFAULT_MEASURE,
    colors: Mapping[str, int] | None = None,
) -> None:
    """Write the table (.csv, .json, .md) or the figure (.svg, .pdf, .png) of a study.

    Parameters
    ----------
    result
        Points of the study.
    path
        File to write; its suffix selects the format.
    measure
        Name of the error measure.
    colors
        Color numbers of lanes in a figure, by lane name; by default in the order of the lanes.

    Raises
    ------
    InputError
        If the suffix or the measure is unknown, or the file cannot be written.
    """
    check_study_path(path)
    find_measure(measure)
    suffix = Path(path).suffix.lower()
    if suffix in TABLES:
        write_text(path, _FORMATTERS[suffix](result, measure))
        return
    from quatviz.analysis.studies.figure import write_figure

    with replace_atomically(path) as fresh:
        write_figure(result, fresh, measure, colors or {})


def check_study_path(path: str | Path) -> None:
    """Raise the `InputError` that `write_study` would raise for `path`. Call this before a long study begins."""
    tables, figures = ", ".join(TABLES), ", ".join(FIGURES)
    kinds = phrase("a table ({tables}) or a figure ({figures})", tables=tables, figures=figures)
    checked_extension(path, (*TABLES, *FIGURES), "study.svg", kinds)
    refuse_unwritable(path)


def _format_csv(result: StudyData, measure: str) -> str:
    units = ", ".join(f"{name} [{unit or 1}]" for name, unit in result.units.items())
    measures = (f"{name}: {measure_class.title.lower()}" for name, measure_class in MEASURES.items())
    comments = (
        f"quatviz study: {shown_title(result.plan.preset)}",
        *note_lines(result, measure),
        f"units: {units}",
        *measures,
    )
    names = list(dict.fromkeys(name for record in result.records for name in record))
    rows = [names, *([_csv_cell(record.get(name, "")) for name in names] for record in result.records)]
    return "".join(
        (*(f"# {escape_comment_formulas(line)}\n" for line in comments), *map(format_csv_row, rows))
    )


def _csv_cell(value: Any) -> Any:
    return "" if value != value else value  # NaN is not equal to itself.


def _format_json(result: StudyData, measure: str) -> str:
    data = {
        "title": shown_title(result.plan.preset),
        "duration": result.plan.duration,
        "sample_interval": result.plan.interval,
        "steps": list(result.plan.steps),
        "tolerances": list(result.plan.tolerances),
        "reference": {"method": result.method, "levels": result.levels},
        "points": result.records,
        "orders": list(_order_records(result)),
        "refused": [asdict(refused) for refused in result.refused],
        "complete": not (result.cancelled or result.fault),
        "versions": versions(result.plan.preset.with_run(lanes=_lanes_run(result.plan))),
        "preset": format_preset(result.plan.preset),
    }
    return json.dumps(_without_nan(data), indent=2, ensure_ascii=False) + "\n"


def _lanes_run(plan: StudyPlan) -> list[Lane]:
    """Return the lanes of the plan, each once for every integrator."""
    return [Lane(lane.formulation, integrator=name) for lane in plan.lanes for name in plan.integrators]


def _order_records(result: StudyData) -> Iterator[dict[str, Any]]:
    for measure in MEASURES:
        for curve in result.curves(measure):
            if curve.fit is not None:
                yield {
                    "measure": measure,
                    "lane": curve.lane.name,
                    "integrator": curve.integrator,
                    **asdict(curve.fit),
                }


def _without_nan(value: Any) -> Any:
    """Replace NaN and infinity by None, because JSON cannot represent them."""
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _format_markdown(result: StudyData, measure: str) -> str:
    measure_class = find_measure(measure)
    lists = [*fit_lines(result, measure, by_title=True), *note_lines(result, measure, by_title=True)]
    parts = (
        f"# {shown_title(result.plan.preset)}: a study",
        f"Error: {measure_class.axis_label().replace('|', chr(92) + '|')}.",
        format_markdown_table(
            head := column_titles(result), table_rows(result, measure, by_title=True), range(2, len(head) - 1)
        ),
        "\n".join(f"- {line}" for line in lists),
    )
    return "\n\n".join(parts) + "\n"


_FORMATTERS: dict[str, Callable[[StudyData, str], str]] = {
    ".csv": _format_csv,
    ".json": _format_json,
    ".md": _format_markdown,
}
