"""Modules that register formulations while tests are collected are refused by name."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
REGISTERS = """
import quatviz as qv

MINE = qv.TypedFormulation("mine", rates="omega' = solve(J, n)\\np' = product(p, [0, omega])/2")
PRESET = qv.load_preset("torque_free").with_run(lanes=[MINE])

def test_of_the_module():
    assert PRESET
"""
LISTS = """
import pytest
from quatviz.physics.formulations import FORMULATIONS

@pytest.mark.parametrize("name", FORMULATIONS)
def test_name(name):
    assert name != "mine"
"""


def test_module_that_registers_formulations_is_named(tmp_path: Path) -> None:
    (tmp_path / "test_a_registers.py").write_text(REGISTERS)
    (tmp_path / "test_b_lists.py").write_text(LISTS)
    (tmp_path / "conftest.py").write_bytes((TESTS / "conftest.py").read_bytes())
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {TESTS / 'support'}\nqt_api = pyside6\n")
    child = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-p", "no:zarr", "--continue-on-collection-errors"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(TESTS.parent)},
    )  # fmt: skip
    assert "test_a_registers.py: collecting this module registers the formulations mine." in child.stdout, (
        child.stdout
    )
    assert " passed, 1 error" in child.stdout, child.stdout
    assert "failed" not in child.stdout, child.stdout
