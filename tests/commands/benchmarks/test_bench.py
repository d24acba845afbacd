"""Benchmarks: figures with references, growth laws, and the output of the command."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quatviz.commands.benchmarks import BENCHES, growth, loads
from quatviz.commands.benchmarks._results import (
    BenchmarkOutput,
    BenchmarkResult,
    Remark,
    ScalingResult,
    markdown_of,
    text_of,
)
from quatviz.physics.loads import LOADS

ROOT = Path(__file__).resolve().parents[3]
SNAIL = '''
"""`quatviz bench snail`: how slow a snail is.

It is known to be slow.
"""

from quatviz.commands.benchmarks._results import BenchmarkResult, ScalingResult, Remark


def measure():
    hare = BenchmarkResult("hare", 20.0, "m/s")
    yield BenchmarkResult("snail", 0.013, "m/s", hare, reach=1.0, least=True, why="it carries its house")
    yield BenchmarkResult("house", 0.004, "kg", reach=0.01)
    yield ScalingResult("path of a snail", "hours", [1, 2, 4, 8], [50.0, 97.0, 191.0, 379.0], "m")
    yield Remark("No tortoise is here: ask a zoo.")
'''


@pytest.fixture
def snail(tmp_path: Path) -> Path:
    """A folder with a package that adds a bench."""
    (tmp_path / "slow_snail.py").write_text(SNAIL, "utf-8")
    installed = tmp_path / "slow_snail-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: slow-snail\nVersion: 1.0\n", "utf-8")
    (installed / "entry_points.txt").write_text("[quatviz.bench]\nsnail = slow_snail\n", "utf-8")
    return tmp_path


def bench(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "quatviz", "bench", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])},
        cwd=folder, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def test_plugin_benchmark_is_listed_run_and_plotted(snail: Path) -> None:
    assert "snail   how slow a snail is" in bench(snail, "--help").stdout
    process = bench(snail, "snail", "--plot", "growth.svg")
    assert process.returncode == 0, process.stderr
    lines = [" ".join(line.split()) for line in process.stdout.splitlines()]
    assert "MISS snail 0.013 m/s ≥ 1 hare: 20 1/1538 (≥ 1/20)" in lines
    assert "ok house 0.004 kg ≤ 0.01" in lines
    assert lines[-3:] == ["snail: it carries its house", "", "No tortoise is here: ask a zoo."]
    assert (snail / "growth.svg").read_text("utf-8").startswith("<?xml")


def test_benchmark_output_as_json(snail: Path) -> None:
    ratio, house, growth, remark = json.loads(bench(snail, "snail", "--json").stdout)
    assert (ratio["reference"], ratio["ratio"], ratio["ok"]) == ("hare", pytest.approx(0.00065), False)
    assert (house["ratio"], house["ok"]) == (None, True)
    assert growth["sizes"] == [1, 2, 4, 8]
    assert growth["slope"] == pytest.approx(47.0)
    assert remark == {"remark": "No tortoise is here: ask a zoo."}


def test_plot_requires_growth(snail: Path) -> None:
    without = "\n".join(line for line in SNAIL.splitlines() if "yield ScalingResult" not in line)
    (snail / "slow_snail.py").write_text(without, "utf-8")
    refused = bench(snail, "snail", "--plot", "growth.svg")
    assert refused.returncode == 2
    assert "snail, which measures no scaling" in refused.stderr
    assert bench(snail, "snail", "--plot", "growth.txt").returncode == 2


def test_every_benchmark_has_a_description() -> None:
    assert all(benchmark.purpose for benchmark in BENCHES.values())
    assert next(iter(BENCHES)) == "engine"


def test_result_states_if_it_is_within_its_target() -> None:
    assert BenchmarkResult("time", 2.0, "s").ok is None
    assert BenchmarkResult("time", 2.0, "s", reach=2.0).ok
    assert not BenchmarkResult("time", 2.1, "s", reach=2.0).ok
    assert not BenchmarkResult("frames", 44.0, "1/s", reach=45.0, least=True).ok
    assert BenchmarkResult("time", 2.0, "s", BenchmarkResult("other", 4.0, "s")).ratio == 0.5


def test_growth_is_fitted_by_line_and_exponent() -> None:
    line = ScalingResult("step", "loads", [1, 2, 4, 8, 16], [13.0, 16.0, 22.0, 34.0, 58.0], "ns").fit
    assert (line.fixed, line.slope) == (pytest.approx(10.0), pytest.approx(3.0))
    assert 0.6 < line.exponent < 1.0
    square = ScalingResult("sort", "rows", [10, 100, 1000], [1.0, 100.0, 1e4], "ms").fit
    assert square.exponent == pytest.approx(2.0)
    assert square.fixed == 0.0, "nothing takes less than no time"


def test_only_missed_targets_are_explained() -> None:
    figures: list[BenchmarkOutput] = [
        BenchmarkResult("good", 1.0, "s", reach=2.0, why="it is not said"),
        BenchmarkResult("bad", 3.0, "s", reach=2.0, why="it is large"),
        Remark("left out: one"),
    ]
    for report in (text_of(figures), markdown_of(figures)):
        assert report.endswith("\n\nbad: it is large\n\nleft out: one")
        assert "it is not said" not in report
    assert "| MISS | bad | 3 s | ≤ 2 |  |  |" in markdown_of(figures)


def test_every_load_is_compared_with_no_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loads, "FORMS", ("newton_euler",))
    monkeypatch.setattr(loads, "NUMBERS", (1, 2))
    results = list(loads.measure(rounds=1))
    figures = {result.name: result for result in results if isinstance(result, BenchmarkResult)}
    beside_none = [
        name for name, result in figures.items() if result.reference and result.reference.name == "no load"
    ]
    assert beside_none == [
        f"newton_euler, {name}" for name, load_class in LOADS.items() if load_class.samples()
    ]
    growths = [result for result in results if isinstance(result, ScalingResult)]
    assert [result.name for result in growths] == [f"newton_euler, {what}" for what in loads.REPEATED_LOADS]
    assert all(value > 0.0 for result in growths for value in result.values)
    assert figures["newton_euler, 2 constant point forces"].reach is not None


def test_run_cost_grows_with_steps_samples_and_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "STEPS", (100, 1000))
    monkeypatch.setattr(growth, "SAMPLES", (10, 100))
    monkeypatch.setattr(growth, "LANES", (1, 2))
    results = list(growth.run_growths(rounds=1))
    assert [(growth_result.over, list(growth_result.sizes)) for growth_result in results] == [
        ("steps", [100, 1000]),
        ("samples", [10, 100]),
        ("lanes", [1, 2]),
    ]
    assert all(value > 0.0 for growth_result in results for value in growth_result.values)
