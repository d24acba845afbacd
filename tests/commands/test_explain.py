"""`quatviz explain`: every listed function is at the stated file and line."""

import json

import pytest
from helpers import LANES, ROOT

from quatviz.api.calls import load_preset
from quatviz.cli import main
from quatviz.commands.explain import chain
from quatviz.physics.integrators import INTEGRATORS


def checked(links) -> dict[str, tuple[str, str]]:
    """Return the links by topic, after checking that each points to a line with the name."""
    lines = {}
    for link in links:
        path, _, line = link.location.rpartition(":")
        text = (ROOT / path).read_text("utf-8").splitlines()
        name = link.does.rpartition(".")[2] if not link.does.endswith("__init__") else "__init__"
        assert any(name in source_line for source_line in text[int(line) - 1 : int(line) + 4]), link
        lines[link.what] = (link.does, path)
    return lines


@pytest.mark.parametrize("lane", LANES)
def test_every_link_points_at_its_line(lane: str) -> None:
    explanations = checked(chain(load_preset("heavy_top"), lane))
    assert explanations["the derivative of the state"][1].startswith("quatviz/physics/formulations/")
    assert explanations["the load gravity, constant"] == (
        "Gravity.constant",
        "quatviz/physics/loads/gravity.py",
    )
    assert explanations["the loop over steps"] == ("fixed_step_block", "quatviz/physics/kernels/blocks.py")


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_every_integrator_step_is_explained(integrator: str) -> None:
    form = "lagrange_full" if integrator == "rattle" else "newton_euler"
    explanations = checked(chain(load_preset("spring_disk"), f"{form},integrator={integrator}"))
    assert explanations["the integrator"][1].startswith(f"quatviz/physics/integrators/{integrator}")
    assert explanations["its potential gradient"] == (
        "gradient",
        "quatviz/physics/loads/guided_spring/kernel.py",
    )


def test_tolerances_of_an_adaptive_lane_are_explained() -> None:
    explanations = checked(
        chain(load_preset("heavy_top"), "newton_euler,integrator=dop853,rtol=1e-9,atol=1e-6")
    )
    what = "its tolerances, relative 1e-09 and absolute 1e-06"
    assert explanations[what] == ("lane_tolerances", "quatviz/simulation/lane_settings.py")


def test_exact_lane_is_explained_without_steps(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "torque_free", "exact", "--json"]) == 0
    links = {link["what"]: link for link in json.loads(capsys.readouterr().out)}
    assert "the loop over steps" not in links
    assert links["states at any time"]["does"] == "Exact.solution"
    assert (ROOT / links["the preset"]["location"]).name == "torque_free.toml"


def test_explanation_is_printed_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "heavy_top", "hamilton"]) == 0
    output = capsys.readouterr().out
    assert "quatviz/physics/formulations/hamilton/kernel.py:" in output
    assert "heavy_top.toml" in output
