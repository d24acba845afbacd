"""No text of a preset becomes a formula in a spreadsheet, whatever separates its cells."""

import csv
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quatviz as qv
from quatviz.analysis.studies.files import write_study
from quatviz.files.files import (
    escape_inner_formulas,
    escape_spreadsheet_formula,
    unescape_spreadsheet_formula,
)
from quatviz.recordings.text_format import detect_format

TEXTS = ["=1+1", "  =1+1", "\t=1+1", " \t@a", "a;=1+1", "a\t=1+1", 'a";=1', "＝1+1", "'=1", "-x;+y"]
NUMBER = re.compile(r"[+-]?(\d|\.\d|inf|nan)")
SHORT = {"duration": 0.05, "dt": 1e-2, "sample_interval": 1e-2}


def refuse_formulas(path: Path) -> None:
    """Read the file as spreadsheets of several countries do, and assert that no cell is a formula."""
    for delimiter in ",;\t":
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file, delimiter=delimiter):
                for cell in row:
                    shown = cell.strip()
                    assert shown[:1] not in set("=@＝＠"), (delimiter, cell)
                    is_signed = shown[:1] in set("+-＋－")
                    assert not is_signed or NUMBER.match(shown), (delimiter, cell)


@pytest.fixture(params=TEXTS)
def preset(request: pytest.FixtureRequest) -> qv.Preset:
    lanes = [qv.Lane("newton_euler", name=request.param), qv.Lane("hamilton")]
    base = qv.load_preset("torque_free").with_run(lanes=lanes, **SHORT)
    return replace(base, title=f"x,=1+1;@a,{request.param}")


def test_run_table_contains_no_formula(preset: qv.Preset, tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    run = qv.simulate(preset)
    run.write(path)
    refuse_formulas(path)
    assert list(qv.load_run(path)) == list(run), "it reads back with the original names"


def test_sweep_table_contains_no_formula(preset: qv.Preset, tmp_path: Path) -> None:
    path = tmp_path / "map.csv"
    qv.sweep(preset, {"initial.angular_velocity[0]": [1.0, 2.0]}, path=path)
    refuse_formulas(path)


def test_study_table_contains_no_formula(preset: qv.Preset, tmp_path: Path) -> None:
    path = tmp_path / "study.csv"
    write_study(qv.study(preset, steps=[1e-2, 5e-3], jobs=1), path)
    refuse_formulas(path)


def test_numbers_and_names_are_not_escaped() -> None:
    for text in ("hamilton", "a = b", "1,5", "", "x;y"):
        assert escape_spreadsheet_formula(text) == text


def test_signs_of_numbers_are_not_escaped() -> None:
    for line in ("values = [0.0, -1.5, -inf, +nan]", '{"a": [1, -Infinity], "b": -2}'):
        assert escape_inner_formulas(line) == line
    assert escape_inner_formulas('"x, -inf|a"') == '"x, \\u002dinf|a"'


@given(st.text("=+-@'＝;,\t a1", max_size=12))
def test_escaped_text_is_read_back(text: str) -> None:
    assert unescape_spreadsheet_formula(escape_spreadsheet_formula(text)) == text


@pytest.mark.parametrize("character", ["\u202e", "\u2066"])
def test_bidirectional_control_characters_are_escaped(
    character: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`gpj.exe` after U+202E looks like the name of a picture."""
    from quatviz.commands.support.terminal import print_error, print_safe

    print_safe(f"a{character}b")
    print_error(f"a{character}b")
    printed = capsys.readouterr()
    assert character not in printed.out + printed.err
    assert f"\\u{ord(character):04x}" in printed.out
    with pytest.raises(qv.InputError):
        qv.Lane("hamilton", name=f"a{character}b")
    shape = detect_format(f"t,a{character}b\n0,1\n1,2\n".encode(), "a.csv")
    assert character not in str(shape)
