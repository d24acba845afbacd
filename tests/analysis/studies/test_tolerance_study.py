"""Studies over tolerances: adaptive methods over tolerances, fixed-step methods over steps."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz import cli
from quatviz.analysis.studies.files import StudyResult
from quatviz.analysis.studies.plan import StudyPlan
from quatviz.analysis.studies.plot_guides import abscissa
from quatviz.analysis.studies.tables import column_titles, fit_lines, table_rows

TIGHT = (1e-4, 1e-6, 1e-8)


@pytest.fixture(scope="module")
def study() -> StudyResult:
    return qv.study(
        qv.load_preset("heavy_top"), lanes=["newton_euler", "hamilton,integrator=dop853,rtol=1e-3"],
        integrators=["rk4", "dop853"], steps=[4e-3, 2e-3], tolerances=TIGHT[::-1], duration=2.0,
        executor="threads", jobs=1,
    )  # fmt: skip


def test_adaptive_methods_use_tolerances_and_others_steps() -> None:
    preset = qv.load_preset("torque_free")
    plan = StudyPlan.create(
        preset,
        lanes=["hamilton,rtol=1e-3"],
        integrators=["rk4", "dop853"],
        steps=[0.1, 0.05],
        tolerances=TIGHT,
    )
    assert [(case.integrator, case.dt, case.tolerance) for case in plan.cases] == [
        ("rk4", 0.1, None), ("rk4", 0.05, None), *(("dop853", 0.05, tolerance) for tolerance in TIGHT),
    ]  # fmt: skip
    assert not plan.refused, "a lane's own tolerance is another one in each run"
    run = plan.case_preset(plan.lanes[0], "dop853", 0.05, 1e-6).run
    assert (run.rtol, run.atol) == (1e-6, 1e-6)
    assert StudyPlan.create(preset, integrators=["dop853"], tolerances=4).tolerances == (
        1e-4,
        1e-5,
        1e-6,
        1e-7,
    )
    once = StudyPlan.create(
        preset.with_run(rtol=1e-7), lanes=["hamilton"], integrators=["dop853"], steps=[0.1, 0.05]
    )
    assert [case.tolerance for case in once.cases] == [None]
    assert once.case_preset(once.lanes[0], "dop853", 0.05).run.rtol == 1e-7


@pytest.mark.parametrize(
    ("tolerances", "message"),
    [
        ([0.5], "from 1e-14 to 0.1"), ([1e-16], "found     1e-16"), (0, "found     none"), ([], "none"),
        (["x"], "'x'"), (True, "True"), ([math.nan], "nan"), (12, "number of tolerances, from 1 to 11"),
    ],
)  # fmt: skip
def test_invalid_tolerances_are_refused(tolerances: Any, message: str) -> None:
    with pytest.raises(qv.InputError) as refusal:
        StudyPlan.create(qv.load_preset("torque_free"), integrators=["dop853"], tolerances=tolerances)
    assert refusal.value.key == "tolerances"
    assert message in str(refusal.value)


def test_unused_tolerances_are_refused() -> None:
    with pytest.raises(qv.InputError, match="at least one adaptive integrator in the study \\(dop853"):
        StudyPlan.create(qv.load_preset("torque_free"), integrators=["rk4"], tolerances=TIGHT)


def test_errors_follow_the_tolerance_and_are_drawn_over_cost(study: StudyResult) -> None:
    fixed, other, adaptive = study.curves()
    assert [curve.name for curve in (fixed, adaptive, other)] == [
        "newton_euler, rk4", "newton_euler, dop853", "hamilton, dop853",
    ]  # fmt: skip
    assert [point.case.tolerance for point in adaptive.points] == list(TIGHT)
    assert np.all(np.diff(np.log10(adaptive.errors)) < -1.5)
    assert all(point.seconds > 0 for curve in (fixed, adaptive, other) for point in curve.points)
    assert fixed.fit is not None
    assert fixed.fit.order == pytest.approx(4.0, abs=0.1)
    assert adaptive.fit is not None
    assert adaptive.fit.order == pytest.approx(8.0, abs=1.0), "against the mean step"
    assert [abscissa(point, True) for point in adaptive.points] == list(TIGHT)
    assert all(math.isnan(abscissa(point, True)) for point in fixed.points)
    assert [abscissa(point, False) for point in fixed.points] == [4e-3, 2e-3]


def test_tables_and_files_contain_the_tolerance(study: StudyResult, tmp_path: Path) -> None:
    assert column_titles(study)[2] == "tolerance"
    assert [row[2] for row in table_rows(study)] == ["-", "-", *(2 * ["0.0001", "1e-06", "1e-08"])]
    fitted = [line for line in fit_lines(study) if "fitted over 3 mean steps" in line]
    assert fitted
    assert all("(standard error)" in line for line in fitted)
    frame = study.to_dataframe()
    assert frame["tolerance"].tolist()[2:5] == list(TIGHT)
    for name in ("s.csv", "s.json", "s.md", "s.svg"):
        study.write(tmp_path / name)
    document = json.loads((tmp_path / "s.json").read_text("utf-8"))
    assert document["tolerances"] == list(TIGHT)
    assert document["points"][0]["tolerance"] is None
    assert "tolerance" in (tmp_path / "s.csv").read_text("utf-8")
    document_text = (tmp_path / "s.md").read_text("utf-8")
    assert "| tolerance |" in document_text
    assert "| Newton–Euler | Runge–Kutta 4 |" in document_text
    assert "- Newton–Euler, Runge–Kutta 4: order" in document_text
    assert "newton_euler" not in document_text
    axes = study.plot().axes
    assert [axis.get_xlabel() for axis in axes] == [
        "Tolerance of adaptive methods",
        "Processor time of the run [s]",
    ]
    assert len(axes[0].lines) == 3, "and no line of an order, which would be one of steps"


def test_study_command_accepts_tolerances(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "study",
        "torque_free",
        "--lane",
        "newton_euler",
        "--integrator",
        "dop853",
        "--steps",
        "2",
        "--duration",
        "1",
    ]
    assert cli.main([*arguments, "--tolerances", "2", "--jobs", "1"]) == 0
    assert "0.0001" in (output := capsys.readouterr().out)
    assert "1e-05" in output
    assert cli.main([*arguments, "--tolerances", "1e-4,small"]) == 2
    assert "--tolerances" in capsys.readouterr().err
    assert cli.main([*arguments, "--tolerances", "1e-20"]) == 2
    assert "tolerances from 1e-14 to 0.1" in capsys.readouterr().err
