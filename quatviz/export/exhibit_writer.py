"""Writing of all exhibits to a folder, with a page that lists them. Exhibits with equal settings share a run."""

from collections.abc import Callable, Sequence
from pathlib import Path

from quatviz.base import resources
from quatviz.base.errors import refuse_unknown_name
from quatviz.export.documents import EXHIBITS
from quatviz.export.exhibit import COMPUTED_NOTE, DOCUMENT_SOURCE, Exhibit, ExhibitRun
from quatviz.export.figures.paper import FORMATS, Paper
from quatviz.files.files import make_folder, refuse_unwritable, write_text
from quatviz.files.preset_files import find_preset
from quatviz.files.preset_reading import read_preset
from quatviz.simulation.simulation import Progress, Simulation, ignore_progress

PAGE_NAME = "figures.md"

ExhibitProgress = Callable[[str, int, int], None]
"""Function that receives progress reports. Its arguments are the title of the next exhibit, the number of completed
exhibits, and the number of all exhibits."""


def write_exhibits(
    folder: str | Path,
    formats: Sequence[str] = FORMATS,
    only: Sequence[str] = (),
    paper: Paper | None = None,
    progress: ExhibitProgress | None = None,
) -> list[Path]:
    """Compute and write the figures and tables of the documents.

    Parameters
    ----------
    folder
        Output folder, created if needed.
    formats
        Any of "pdf", "svg" and "png".
    only
        Names of the exhibits; empty for all.
    paper
        Size and font.
    progress
        Function that is called before each exhibit. It may raise an exception to cancel the export. All existing files
        are then complete.

    Returns
    -------
    list of Path
        Paths of the written files.

    Raises
    ------
    InputError
        If a name is unknown or the folder cannot be written.
    """
    for file_format in formats:
        refuse_unknown_name(
            file_format, FORMATS, "the formats", "formats", number="some", remedy="write for example pdf,png"
        )
    exhibit_classes = [EXHIBITS.find(name, "the figures") for name in only or EXHIBITS]
    folder = Path(folder)
    make_folder(folder)
    refuse_unwritable(folder / PAGE_NAME)
    runs: dict[ExhibitRun, Simulation] = {}
    paths: list[Path] = []
    page = [
        f"# Figures and tables of {Exhibit.authors}\n",
        f"{DOCUMENT_SOURCE}.\n",
        f"{COMPUTED_NOTE}\n",
    ]
    for number, exhibit_class in enumerate(exhibit_classes):
        exhibit = exhibit_class()
        if progress is not None:
            progress(exhibit.title, number, len(exhibit_classes))
        if exhibit.run_settings not in runs:
            runs[exhibit.run_settings] = compute_run(exhibit.run_settings)
        run = runs[exhibit.run_settings]
        exhibit_paths = exhibit.write(run, folder, formats, paper or Paper())
        page.append(_page_entry(exhibit, run, exhibit_paths))
        paths += exhibit_paths
    write_text(folder / PAGE_NAME, "\n".join(page))
    return [*paths, folder / PAGE_NAME]


def compute_run(case: ExhibitRun, progress: Progress = ignore_progress) -> Simulation:
    """Compute and return the run of an exhibit. `progress` is called with the computed fraction, and may raise an
    exception to cancel."""
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
    run.complete(progress)
    return run


def _page_entry(exhibit: Exhibit, run: Simulation, paths: Sequence[Path]) -> str:
    (lane,) = run
    links = ", ".join(f"[{path.suffix[1:]}]({path.name})" for path in paths)
    text = " ".join([*exhibit.findings(lane), exhibit.method_sentence(lane)])
    return f"## {exhibit.title}\n\n{exhibit.caption}.\n\n{text}\n\n{links}\n"
