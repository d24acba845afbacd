"""Figures and tables of the source documents, by command and script: their contents, and no partial files."""

import csv
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.base.formatting import format_scientific
from quatviz.cli import main
from quatviz.display.data.scales import SCALE_CLASSES
from quatviz.display.data.series import Series, bucket_range
from quatviz.display.panels.base.curves import Plot, Trace
from quatviz.export.documents import EXHIBITS
from quatviz.export.exhibit import DocumentFigure
from quatviz.export.exhibit_writer import compute_run
from quatviz.export.figures.drawing import draw_figure
from quatviz.export.figures.figure import FigurePicture, PanelPicture
from quatviz.export.figures.paper import Paper

SEED_NAMES = [f"figure_{number}" for number in range(2, 9)] + ["table_3", "table_5"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("figures") / "new"
    progress: list[tuple[str, int, int]] = []
    qv.figures(folder, formats=["svg", "pdf"], progress=lambda *args: progress.append(args))
    assert [number for _, number, _ in progress] == list(range(9))
    assert {total for *_, total in progress} == {9}
    return folder


def test_all_exhibits_are_written(folder: Path) -> None:
    assert sorted(EXHIBITS) == sorted(SEED_NAMES)
    expected = {f"{name}.{suffix}" for name in SEED_NAMES for suffix in ("svg", "pdf")} | {"figures.md"}
    expected |= {f"table_{number}.{suffix}" for number in (3, 5) for suffix in ("csv", "md")}
    assert {path.name for path in folder.iterdir()} == expected


def rows(path: Path) -> list[dict[str, str]]:
    lines = path.read_text("utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def test_table_3_contains_the_published_values(folder: Path) -> None:
    table = rows(folder / "table_3.csv")
    assert [row["printed, exact"] for row in table] == [
        *("346.4102", "365.447", "200.0", "9.3393", "18.6786", "18.6786", "162.6296")
    ]
    assert [row["printed, numerical"] for row in table] == [
        *("346.38", "365.44", "199.975", "9.35", "18.68", "18.68", "162.6342")
    ]
    for row in table[:-1]:
        last_digit = 10.0 ** -len(row["printed, exact"].partition(".")[2])
        assert abs(float(row["quatviz"]) - float(row["printed, exact"])) <= 0.5 * last_digit
    assert float(table[-1]["quatviz"]) == pytest.approx(162.62972, abs=5e-6)  # printed: 162.6296
    assert float(table[-1]["quatviz − printed, exact"]) == pytest.approx(1.2e-4, abs=5e-6)


def test_titles_cite_the_paper(folder: Path) -> None:
    assert "Shivarama and Fahrenthold (2004), Table 3" in (folder / "table_3.md").read_text("utf-8")
    assert "Shivarama and Fahrenthold (2004), Figure 4" in (folder / "figure_4.svg").read_text("utf-8")


def test_table_5_contains_the_published_values(folder: Path) -> None:
    nutation, precession = rows(folder / "table_5.csv")
    assert (nutation["printed, analytical approximation"], nutation["printed, numerical"]) == (
        "10.00",
        "9.24",
    )
    assert (precession["printed, analytical approximation"], precession["printed, numerical"]) == (
        "0.40",
        "0.4136",
    )
    assert float(nutation["quatviz"]) == pytest.approx(9.20942, abs=5e-6)
    assert float(precession["quatviz"]) == pytest.approx(0.416425, abs=5e-7)
    assert "9.20942" in (folder / "table_5.md").read_text("utf-8")


def test_figure_page_states_captions_and_origin_of_curves(folder: Path) -> None:
    page = (folder / "figures.md").read_text("utf-8")
    for name, exhibit in EXHIBITS.items():
        section = page.partition(f"## {exhibit.title}\n")[2].partition("\n## ")[0]
        assert exhibit.caption in section
        assert f"preset “{qv.load_preset(exhibit.run_settings.preset).title}”" in section
        assert f"({name}.pdf)" in section
    assert "not taken from the document" in page


def test_numbers_are_written_in_scientific_notation(folder: Path) -> None:
    page = (folder / "figures.md").read_text("utf-8")
    assert re.search(r"differ by at most [\d.]+×10⁻\S+ kg m²/s", page)
    assert not re.search(r"\de[-+]\d", page)
    assert [format_scientific(value) for value in (0.0, 9.81e-12, 346.0)] == ["0", "9.8×10⁻¹²", "3.5×10²"]


def test_scatter_symbols_end_at_the_axis_limit_unclipped() -> None:
    series = Series(1)
    series.set_data(np.linspace(0.0, 2.0, 5), np.zeros((5, 1)))
    plot = Plot(
        SCALE_CLASSES["linear"](), "a", "m", traces=[Trace(series, 0, "#000000", "by hand", is_scatter=True)]
    )
    picture = FigurePicture([PanelPicture("A", "", [plot])], 0.0, 1.0, "T")
    (axes,) = draw_figure(picture, Paper()).axes
    (drawn,) = [line for line in axes.lines if line.get_marker() == "D"]
    assert np.asarray(drawn.get_xdata()).tolist() == [0.0, 0.5, 1.0]
    assert not drawn.get_clip_on()


@pytest.mark.parametrize("name", [name for name in SEED_NAMES if name.startswith("figure")])
def test_figure_draws_the_data_of_the_run(name: str) -> None:
    exhibit = EXHIBITS[name]()
    assert isinstance(exhibit, DocumentFigure)
    (lane,) = compute_run(exhibit.run_settings)
    plot, *other_plots = [plot for panel in exhibit.panels(lane) for plot in panel.plots]
    motion = lane.motion()
    curves = [
        trace.series.curve(
            bucket_range(trace.series.times, 0.0, exhibit.run_settings.duration, 1e9), trace.component
        )[1]
        for trace in plot.traces
    ]
    expected = {
        "figure_2": motion.h,
        "figure_3": motion.p,
        "figure_4": motion.h,
        "figure_5": motion.p,
        "figure_7": motion.h / 50.0,
    }
    if name in expected:
        for component, curve in zip(expected[name].T, curves, strict=False):
            assert np.allclose(curve, component, atol=1e-15)
    if name == "figure_2":
        assert plot.traces[3].is_scatter
        assert np.abs(curves[3] - motion.h[::20, 2]).max() < 1e-10
    if name == "figure_6":
        assert np.nanmax(np.abs(np.diff(curves[0]))) < 180.0, "no line crosses a jump"
        assert len(plot.traces[0].series.jumps(0).times) == np.isnan(curves[0]).sum() > 3
        (printed,) = other_plots
        values = np.asarray(printed.traces[0].series.values)
        assert np.nanmax(np.abs(values[:, ::2])) > 90.0
        assert np.isnan(values).sum() == 2 + 28, "0/0 at the start, and a gap at each jump"
        assert "28 jumps of half a turn, and another orientation in 48%" in " ".join(exhibit.findings(lane))
    else:
        assert not other_plots
    if name == "figure_8":
        x, y, z = curves
        assert np.allclose(x**2 + y**2 + z**2, 1.0, atol=1e-12)
        assert z[0] == pytest.approx(np.cos(0.3), abs=1e-12)


def test_equal_runs_give_equal_bytes_without_a_date(folder: Path, tmp_path: Path) -> None:
    qv.figures(tmp_path, formats=["svg", "pdf"], only=["figure_2", "table_5"])
    for path in tmp_path.iterdir():
        if path.name != "figures.md":
            assert path.read_bytes() == (folder / path.name).read_bytes(), path.name
            assert b"CreationDate" not in path.read_bytes()


def test_files_are_small_with_embedded_fonts(folder: Path) -> None:
    for path in folder.glob("*.pdf"):
        assert path.stat().st_size < 200_000, path.name
    text = (folder / "figure_4.pdf").read_bytes()
    assert b"/Type3" in text or b"/FontFile" in text
    assert b"font-family" not in (folder / "figure_4.svg").read_bytes(), (
        "SVG contains outlines, not names of fonts"
    )


def test_figures_command_writes_the_requested_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "figures",
        "-o",
        str(tmp_path / "out"),
        "--format",
        "png",
        "--only",
        "table_3",
        "--width",
        "120",
    ]
    assert main(arguments) == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *("table_3.png", "table_3.csv", "table_3.md", "figures.md")
    }
    assert "4 files written" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "figure_9"], "one of the documents: figure_2"),
        (["--format", "eps"], "one or more of pdf, svg, png"),
        (["--width", "4000"], "40 to 1200 mm"),
        (["--only", "figure_2", "--height", "21"], "the figure's height"),
    ],
)
def test_invalid_arguments_are_rejected(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["figures", "-o", str(tmp_path), *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.glob("*.p*"))


def test_invalid_folder_is_rejected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["figures", "-o", str(tmp_path / "file" / "in it")]) == 2
    assert "choose another folder" in capsys.readouterr().err


CANCELLED = """
import signal, sys
from quatviz.cli import main
from quatviz.export.exhibit import Exhibit

signal.signal(signal.SIGALRM, signal.default_int_handler)  # as Ctrl-C, in the midst of what comes after figure 2
write = Exhibit.write

def and_wait(self, *given):
    paths = write(self, *given)
    if self.name == "figure_2":
        signal.setitimer(signal.ITIMER_REAL, 0.05)
    return paths

Exhibit.write = and_wait
sys.exit(main(["figures", "-o", sys.argv[1]]))
"""


def test_ctrl_c_leaves_no_partial_file(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CANCELLED, str(tmp_path)], capture_output=True, check=False, timeout=300
    )
    assert done.returncode == 130, done.stderr
    assert list(tmp_path.glob("figure_2.pdf"))
    assert not list(tmp_path.glob(".*")), "no partial file is left"
    assert not (tmp_path / "table_5.md").exists(), "it was cancelled before the end"
    assert re.match(rb"%PDF", (tmp_path / "figure_2.pdf").read_bytes())
