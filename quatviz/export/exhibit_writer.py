"""All exhibits into a folder, each run once, with a page that says what each one is."""

from collections.abc import Callable, Sequence
from pathlib import Path

from quatviz.base import resources
from quatviz.base.errors import refuse_unknown_name
from quatviz.export.documents import EXHIBITS
from quatviz.export.exhibit import OURS, SOURCE, Case, Exhibit
from quatviz.export.figures.paper import FORMATS, Paper
from quatviz.files.files import make_folder, refuse_place, write_text
from quatviz.files.preset_files import find_preset
from quatviz.files.preset_reading import read_preset
from quatviz.simulation.simulation import Simulation

PAGE = "figures.md"

Report = Callable[[str, int, int], None]
"""Hears the title of what is made next, how many are made, and of how many."""


def write_exhibits(
    folder: str | Path,
    formats: Sequence[str] = FORMATS,
    only: Sequence[str] = (),
    paper: Paper | None = None,
    report: Report | None = None,
) -> list[Path]:
    """Compute and write the documents' figures and tables into `folder`, which is made if it is not there; the paths.

    `formats` are some of pdf, svg and png; `only` are names of exhibits, all if empty. What `report` raises ends it; each
    file is whole or not there. `InputError` for a name that is not there, or a place that cannot be written.
    """
    for kind in formats:
        refuse_unknown_name(
            kind, FORMATS, "the formats", "formats", number="some", remedy="write for example pdf,png"
        )
    chosen = [EXHIBITS.find(name, "the figures") for name in only or EXHIBITS]
    folder = Path(folder)
    make_folder(folder)
    refuse_place(folder / PAGE)
    runs: dict[Case, Simulation] = {}
    paths: list[Path] = []
    page = [f"# Figures and tables of {SOURCE.partition(',')[0]}\n", f"{SOURCE}.\n", f"{OURS}\n"]
    for number, kind_of in enumerate(chosen):
        exhibit = kind_of()
        if report is not None:
            report(exhibit.title, number, len(chosen))
        if exhibit.case not in runs:
            runs[exhibit.case] = run_of(exhibit.case)
        run = runs[exhibit.case]
        written = exhibit.write(run, folder, formats, paper or Paper())
        page.append(_entry(exhibit, run, written))
        paths += written
    write_text(folder / PAGE, "\n".join(page))
    return [*paths, folder / PAGE]


def run_of(case: Case) -> Simulation:
    """The complete run of a case."""
    preset = read_preset(find_preset(case.preset, resources.preset_folder()))
    run = Simulation(
        preset.with_run(
            lanes=[case.lane],
            integrator="rk4",
            dt=case.dt,
            duration=case.duration,
            sample_interval=case.sample_interval,
        )
    )
    run.complete()
    return run


def _entry(exhibit: Exhibit, run: Simulation, written: Sequence[Path]) -> str:
    (lane,) = run
    links = ", ".join(f"[{path.suffix[1:]}]({path.name})" for path in written)
    told = " ".join([*exhibit.findings(lane), exhibit.computed(lane)])
    return f"## {exhibit.title}\n\n{exhibit.caption}.\n\n{told}\n\n{links}\n"
