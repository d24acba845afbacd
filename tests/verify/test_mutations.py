"""Break one sign or one factor in the source of a formulation, and see `verify` fail.

Each case edits a copy of the source tree and runs a narrow part of the verification there, in a process of its own with
a cache of its own. Three of them run always; all of them, in some five minutes, with

    QUATVIZ_EVERY_MUTATION=1 python -m pytest tests/verify/test_mutations.py

That every formulation has a case, and that every edit finds its text, is checked always.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from quatviz.formulations import FORMULATIONS

ROOT = Path(__file__).resolve().parents[2]
PASSED, SEEN = 0, 1


class Mutation(NamedTuple):
    """`old` to `new` in a file of quatviz/, seen through one formulation."""

    formulation: str
    old: str
    new: str
    file: str = ""

    @property
    def path(self) -> str:
        return self.file or f"formulations/{self.formulation}.py"


MUTATIONS = (
    Mutation("newton_euler", "par.inertia, omega), omega)", "par.inertia, omega), (0.0, 0.0, 0.0))"),
    Mutation("newton_euler", "moment = add3(moment, torque", "moment = add3((0.0, 0.0, 0.0), torque"),
    Mutation("hamilton", "h_rate = cross(h, omega)", "h_rate = cross(omega, h)"),
    Mutation("hamilton", "(-0.5 * n[0], -0.5 * n[1]", "(-0.5 * n[0], 0.5 * n[1]", "core/forces.py"),
    Mutation("hamilton_canonical", "force = (-2.0 * k[0]", "force = (2.0 * k[0]"),
    Mutation("hamilton_canonical", "combined4(1.0, force, -lam, p)", "combined4(1.0, force, lam, p)"),
    Mutation("hamilton_canonical", "-2.0 * dot3(omega, h), p)", "2.0 * dot3(omega, h), p)"),
    Mutation("lagrange_full", "return (8.0 * q[0]", "return (4.0 * q[0]"),
    Mutation("lagrange_full", "2.0 * (q[1] + w[1])", "2.0 * (q[1] - w[1])", "formulations/_lagrange.py"),
    Mutation(
        "lagrange_full",
        "m12 = 4.0 * (L[1] * c2[0] +",
        "m12 = 4.0 * (L[1] * c2[0] -",
        "formulations/_lagrange.py",
    ),
    Mutation(
        "lagrange_full",
        "0.25 * q[2] + p[2] * along",
        "0.25 * q[2] - p[2] * along",
        "formulations/_lagrange.py",
    ),
    Mutation("lagrange_simplified", "return (8.0 * q[0]", "return (-8.0 * q[0]"),
    Mutation("lagrange_projected", "-2.0 * g[1]", "2.0 * g[1]"),
    Mutation("lagrange_projected", "(p[3], p[0], -p[1])", "(p[3], p[0], p[1])"),
    Mutation(
        "lagrange_projected",
        "return -dot4(p_rate, p_rate)",
        "return dot4(p_rate, p_rate)",
        "formulations/_rates.py",
    ),
    Mutation("udwadia_schutte", "combined4(0.5, turned", "combined4(-0.5, turned"),
    Mutation("udwadia_schutte_fundamental", "along), -coefficient", "along), coefficient"),
    Mutation("udwadia_schutte_fundamental", "- dot4(u, free)) /", "+ dot4(u, free)) /"),
    Mutation("udwadia_schutte_unconstrained", "combined4(1.0, Q, 2.0,", "combined4(1.0, Q, -2.0,"),
    Mutation(
        "udwadia_schutte_unconstrained",
        "combined4(-8.0 * par.free",
        "combined4(-4.0 * par.free",
        "formulations/_free_inertia.py",
    ),
    Mutation(
        "euler_angles", "combined3(q1, first, q2 * q3, second)", "combined3(-q1, first, q2 * q3, second)"
    ),
    Mutation("euler_angles", "combined3(c3, par.second, -s3,", "combined3(c3, par.second, s3,"),
    Mutation("reduced_euler_parameters", "-2.0 * (dot3(rate, rate) +", "-2.0 * (dot3(rate, rate) -"),
    Mutation("reduced_euler_parameters", "-2.0, cross(q, axis)", "2.0, cross(q, axis)"),
    Mutation(
        "lie_group",
        "+ p[2] * q[3] - p[3] * q[2]",
        "+ p[2] * q[3] + p[3] * q[2]",
        "core/exponential.py",
    ),
    Mutation("rotation_vector", "omega, 0.5, once)", "omega, -0.5, once)"),
    Mutation("rotation_vector", "(1.0 - half * math.cos(half)", "(1.0 + half * math.cos(half)"),
    Mutation("modified_rodrigues", "0.25 * (1.0 - dot3(sigma", "0.25 * (1.0 + dot3(sigma"),
    Mutation(
        "ring_damper", "combined3(1.0, ring, -1.0, ring_weight", "combined3(1.0, ring, 1.0, ring_weight"
    ),
    Mutation("ring_damper", "-par.drag * beta_rate", "par.drag * beta_rate"),
    Mutation("exact", "multiply(turn, swing", "multiply(swing, turn", "core/exact/torque_free.py"),
    Mutation(
        "exact",
        "kind = theta.one if self.way > 0",
        "kind = theta.two if self.way > 0",
        "core/exact/heavy_top.py",
    ),
    Mutation("exact", "self._n**2 * abs(pull)", "self._n * abs(pull)", "core/exact/pendulum.py"),
    Mutation("ring_damper_as_printed", "beta_rate - weight[2]", "beta_rate + weight[2]"),
    Mutation(
        "newton_euler",
        "p[3] * v[0] + p[0] * v[1] - p[1] * v[2]",
        "p[3] * v[0] + p[0] * v[1] + p[1] * v[2]",
        "core/kernel.py",
    ),
    Mutation(
        "hamilton",
        "p[1] * u[0] + p[2] * u[1] + p[3] * u[2]",
        "p[1] * u[0] + p[2] * u[1] - p[3] * u[2]",
        "core/loads/gravity.py",
    ),
    Mutation("hamilton", "1.0 - row[7] / length", "1.0 + row[7] / length", "core/loads/spring.py"),
    Mutation(
        "newton_euler", "scaled4(2.0 * row[0] * dot3", "scaled4(row[0] * dot3", "core/loads/guided_spring.py"
    ),
    Mutation(
        "newton_euler", "return (-row[0] * omega[0]", "return (row[0] * omega[0]", "core/loads/damping.py"
    ),
)
ALWAYS = (MUTATIONS[2], MUTATIONS[5], MUTATIONS[7])
CHOSEN = MUTATIONS if os.environ.get("QUATVIZ_EVERY_MUTATION") else ALWAYS
NARROW = {
    "exact": "from quatviz.verify.parts.exact import at_random_times as checks",
    "udwadia_schutte_unconstrained": "from quatviz.verify.parts.fundamental import off_the_sphere as checks",
    "ring_damper": "from quatviz.verify.parts.rings import at_random_states as checks",
    "ring_damper_as_printed": "from quatviz.verify.parts.rings import at_random_states as checks",
}
WORST = """
from dataclasses import replace
from quatviz import resources
from quatviz.core.preset_text import read_preset
from quatviz.verify.parts.agreement import of_preset
preset = replace(read_preset(resources.preset_folder() / "t_handle.toml"), events=())
lanes = ("lagrange_projected", "newton_euler")
checks = lambda: of_preset(preset, "preset", 10.0, ("lagrange_projected",), lanes)"""
"""Two forms where agreement allows most."""
USUAL = """
from functools import partial
from quatviz.verify.parts.derivatives import of_formulation
checks = partial(of_formulation, {formulation!r})"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The source without its window, in a folder of its own."""
    shutil.copytree(
        ROOT / "quatviz", tmp_path / "quatviz", ignore=shutil.ignore_patterns("ui", "bench", "__pycache__")
    )
    for name in ("assets", "presets", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def verified(folder: Path, formulation: str, narrow: str = "") -> int:
    """The exit status of the narrow verification of one formulation there."""
    narrow = narrow or NARROW.get(formulation, USUAL.format(formulation=formulation))
    code = f"""{narrow}
found = list(checks())
assert len(found) > 1
raise SystemExit({PASSED} if all(check.ok for check in found) else {SEEN})"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "QUATVIZ_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode


def test_every_formulation_has_a_mutation_and_every_edit_its_place() -> None:
    assert {mutation.formulation for mutation in MUTATIONS} == set(FORMULATIONS)
    for mutation in MUTATIONS:
        text = (ROOT / "quatviz" / mutation.path).read_text("utf-8")
        assert text.count(mutation.old) == 1, mutation


def test_a_copy_without_a_mutation_passes(copy: Path) -> None:
    assert verified(copy, "hamilton_canonical") == PASSED


@pytest.mark.parametrize("mutation", CHOSEN, ids=lambda mutation: f"{mutation.formulation}: {mutation.new}")
def test_a_mutation_is_seen(mutation: Mutation, copy: Path) -> None:
    path = copy / "quatviz" / mutation.path
    path.write_text(path.read_text("utf-8").replace(mutation.old, mutation.new), "utf-8")
    assert verified(copy, mutation.formulation) == SEEN


def test_agreement_sees_a_hundred_thousandth_of_a_term(copy: Path) -> None:
    """Lanes halve their steps until they have converged, so that even where they begin a thousandth of a radian apart the
    tolerance stays small."""
    found: dict[str, Any] = {}
    exec(WORST, found)
    assert all(check.ok for check in found["checks"]())
    path = copy / "quatviz/formulations/lagrange_projected.py"
    text = path.read_text("utf-8")
    assert text.count("-2.0 * g[1]") == 1
    path.write_text(text.replace("-2.0 * g[1]", "-2.00002 * g[1]"), "utf-8")
    assert verified(copy, "lagrange_projected", WORST) == SEEN
