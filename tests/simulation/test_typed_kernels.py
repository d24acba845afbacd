"""Kernels of typed equations are cached like built-in ones: a child compiles them, and the next process loads them."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import quatviz as qv
from quatviz.files.preset_writing import format_preset
from quatviz.physics.kernels.generated_modules import create_module, generated_code
from quatviz.physics.typed_formulations.templates import TEMPLATES
from quatviz.simulation.compilation import is_cacheable, mark_path
from quatviz.simulation.simulation import Simulation

DEFINITION = replace(TEMPLATES[0][1], name="cached_newton_euler")
LOADS = """
import sys
from numba.core import event
import quatviz as qv

with event.install_recorder("numba:compile") as recorder:
    run = qv.simulate(sys.argv[1])
print(run.lanes[0].status, run.lanes[0].digest, len(recorder.buffer))
"""
"""Program that runs a preset and prints how its lane ended, and how many compilations there were."""
CHILD = """
import sys
import quatviz as qv
from quatviz.simulation.compilation import start_child

child = start_child(qv.load_preset(sys.argv[1]))
print(child.wait(600))
"""


def run_program(text: str, preset: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", text, str(preset)], capture_output=True, text=True, check=True, timeout=600
    )
    return done.stdout.split()


@pytest.mark.slow
def test_child_compiles_typed_equations_for_other_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUATVIZ_CACHE_DIR", str(tmp_path / "cache"))
    preset = qv.load_preset("torque_free").with_run(lanes=[DEFINITION], duration=0.05)
    path = tmp_path / "typed.toml"
    path.write_text(format_preset(preset), "utf-8")
    lane = Simulation(preset).lanes[0]
    assert is_cacheable(lane)
    assert not mark_path(lane).exists()
    assert run_program(CHILD, path) == ["0"]
    assert mark_path(lane).exists()
    first, again = (run_program(LOADS, path) for _ in range(2))
    assert first == again
    assert first[0] == "ok"
    assert first[2] == "0", "the kernels were loaded"


def test_kernels_depend_on_equations_but_not_on_numbers() -> None:
    def mark(**changes: Any) -> Path:
        preset = qv.load_preset("torque_free").with_run(lanes=[replace(definition, **changes)])
        return mark_path(Simulation(preset).lanes[0])

    definition = qv.TypedFormulation(
        "marked", rates="omega' = solve(J, n - K*cross(omega, J @ omega))\np' = product(p, [0, omega])/2", numbers={"K": 1.0}
    )  # fmt: skip
    original = mark()
    assert mark(numbers={"K": 2.0}) == original
    assert mark(rates=definition.rates.replace("K*", "K*K*")) != original


def test_generated_module_name_depends_on_its_text() -> None:
    module = create_module("test", "one", ["math"])
    assert create_module("test", "one", ["math"]) is module
    assert create_module("test", "other", ["math"]) is not module
    code = generated_code(module.__name__)
    assert code is not None
    assert code.imports == ("math",)
    assert generated_code("math") is None
