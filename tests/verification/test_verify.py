"""`quatviz verify` passes, and fails as soon as something is wrong."""

import importlib
import itertools
import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from quatviz import cli
from quatviz.base.errors import InputError
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations.hamilton import Hamilton
from quatviz.physics.formulations.newton_euler import NewtonEuler
from quatviz.physics.loads.attitude_control import AttitudeControl
from quatviz.physics.mechanics import rotations
from quatviz.physics.mechanics.rotations import normalize
from quatviz.verification.check import Check, check_close, check_zero
from quatviz.verification.errata import Erratum, ErratumResiduals
from quatviz.verification.jumps import smooth_pieces
from quatviz.verification.lanes import NEAR_SINGULARITY, attitude, check_endings, lane_ids, run_lanes
from quatviz.verification.motions import random_preset, reference_cases, reference_preset
from quatviz.verification.parts import PARTS, published
from quatviz.verification.parts.states import check_case
from quatviz.verification.regimes import closed_form_presets

KEYS = ["name", "value", "reference", "error", "tolerance", "run", "ok"]


def test_identities_pass_and_are_reported_in_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["verify", "identities", "--json"]) == 0
    checks = json.loads(capsys.readouterr().out)
    assert [list(check) for check in checks] == [KEYS] * len(checks)
    assert {check["run"] for check in checks} == {"identity, 2000 random states"}
    assert cli.main(["verify", "identities", "--verbose"]) == 0
    printed = capsys.readouterr().out
    assert all(check["name"] in printed for check in checks)
    assert f"{len(checks)} checks in " in printed
    assert cli.main(["verify", "identities", "--markdown"]) == 0
    assert capsys.readouterr().out.count("\n| ok | ") == len(checks)


def test_terminal_shows_the_worst_result_of_each_group(capsys: pytest.CaptureFixture[str]) -> None:
    checks = list(PARTS["identities"]().checks(full=False))
    assert cli.main(["verify", "identities"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].endswith(f"[identities]: {len(checks)} of {len(checks)} ok")
    groups = {check.group for check in checks}
    assert sum(line.startswith("ok ") for line in printed) == len(groups) < len(checks) - 30
    (row,) = [line for line in printed if "omega = S q', by finite differences" in line]
    worst = max(check.error for check in checks if "omega = S q', by" in check.name)
    assert f"{worst:.1e}" in row
    assert "worst of 12: " in row


def test_missed_checks_come_first_and_separately(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = rotations.matrix_G
    monkeypatch.setattr(rotations, "matrix_G", lambda p: right(p) * [1.0, 1.0, 1.0, -1.0])
    assert cli.main(["verify", "identities"]) == 1
    marks = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line[:4] in ("ok  ", "MISS")]
    missed = marks.index("ok")
    assert missed > 0
    assert "MISS" not in marks[missed : marks.index("MISS", missed)]


def test_wrong_sign_in_L_is_detected(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = rotations.matrix_L
    monkeypatch.setattr(rotations, "matrix_L", lambda p: right(p) * [1.0, 1.0, 1.0, -1.0])
    assert cli.main(["verify", "identities"]) == 1
    assert "MISS  S0(12): L p = 0" in capsys.readouterr().out


def mirrored(self: Hamilton, states: np.ndarray, parameters: object) -> tuple[np.ndarray, np.ndarray]:
    p, omega = NewtonEuler.observe(self, states, parameters)  # type: ignore[arg-type]
    return p, -omega


@pytest.mark.parametrize("part", ["promises", "published", "states"])
def test_wrong_sign_in_a_formulation_is_detected(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    two = {"newton_euler": NewtonEuler, "hamilton": Hamilton}
    monkeypatch.setattr(FORMULATIONS, "entries", lambda: two)
    monkeypatch.setattr(published, "PUBLISHED_TABLES", published.PUBLISHED_TABLES[:1])
    assert cli.main(["verify", part]) == 0
    monkeypatch.setattr(Hamilton, "observe", mirrored)
    assert cli.main(["verify", part]) == 1


def test_every_lane_that_is_registered_is_compared_or_singular() -> None:
    checks = list(check_case("point_force"))
    assert all(check.ok for check in checks), [check for check in checks if not check.ok]
    assert {check.run.split(", ")[1] for check in checks} == set(lane_ids())
    attitudes = [check for check in checks if "attitude" in check.name]
    assert {check.run.split(", ")[1].split("/")[0] for check in attitudes} == {
        name
        for name, family in FORMULATIONS.items()
        if family.yields_motion and not family.carries_ring and not family.has_closed_form
    }


def test_six_lambdas_match_theory() -> None:
    checks = [check for check in PARTS["multipliers"]().checks(full=False) if "reference" in check.name]
    assert len(checks) == 6
    assert all(check.ok for check in checks)


def test_early_end_without_singularity_is_a_failure() -> None:
    preset = reference_preset("heavy_top")
    lost = replace(preset, initial=replace(preset.initial, angular_momentum=[0, 0, 5e5]))
    lanes = run_lanes(lost, ["hamilton"], dt=1e-2, duration=1.0, sample_interval=0.1)
    assert [tried.lane.status for tried in lanes] == ["not_finite"]
    assert [check.ok for check in check_endings(lanes)] == [False]


def test_lanes_are_compared_until_near_their_singularity() -> None:
    ids = ["euler_angles/132", "euler_angles/121", "hamilton"]
    near, never, whole = run_lanes(
        reference_preset("heavy_top"), ids, dt=1e-4, duration=0.5, sample_interval=0.01
    )
    assert never.regular_samples == 0
    assert 0 < near.regular_samples < near.lane.samples
    assert np.abs(near.motion.singularity).min() > 0.25
    assert whole.is_complete
    assert all(check.ok for check in check_endings([near, never, whole]))


def test_singularity_between_samples_ends_the_comparison() -> None:
    top = closed_form_presets()["top, loops"]
    (tried,) = run_lanes(top, ["euler_angles/212"], dt=1e-3, duration=5.0, sample_interval=0.05)
    compared_only = np.abs(tried.lane.singularity[:: tried.stride])
    assert (
        compared_only[tried.regular_samples]
        > NEAR_SINGULARITY
        > np.abs(tried.lane.singularity[: tried.regular_samples * tried.stride]).min()
    )
    (check,) = check_endings([tried])
    assert check.ok


def test_allowed_error_depends_on_the_lane_step() -> None:
    given: dict[str, Any] = {"dt": 0.02, "duration": 2.0, "sample_interval": 0.04}
    (tried,) = run_lanes(reference_preset("point_force"), ["hamilton"], **given, target_error=math.inf)
    (exact,) = run_lanes(reference_preset("point_force"), ["hamilton"], **{**given, "dt": 1e-3})
    error = np.abs(attitude(tried.motion) - attitude(exact.motion)).max()
    assert error < tried.allowed_error(1e-8, attitude) < 10 * error
    assert exact.allowed_error(1e-9, attitude) == 1e-9
    assert tried.allowed_error(1e-15, attitude) == pytest.approx(1e-12), "within reason"
    assert tried.allowed_error(1e-9, lambda motion: np.ones(1)) == 1e-9, "converged to whatever it is"


def test_step_is_halved_until_converged() -> None:
    given: dict[str, Any] = {"dt": 0.02, "duration": 2.0, "sample_interval": 0.04}
    (first,) = run_lanes(reference_preset("point_force"), ["hamilton"], **given, target_error=math.inf)
    assert first.estimated_error(attitude) > 1e-9
    (tried,) = run_lanes(reference_preset("point_force"), ["hamilton"], **given, target_error=1e-9)
    assert tried.estimated_error(attitude) <= 1e-9
    assert tried.lane.solver.segment.dt < 0.02
    assert tried.coarse.solver.segment.dt == 2 * tried.lane.solver.segment.dt


def test_motion_is_split_at_torque_jumps() -> None:
    controlled = random_preset(4, [AttitudeControl(stiffness=0.9, damping=0.1, target=[0.6, -0.2, 0.5, 0.4])])
    pieces = list(smooth_pieces(controlled, dt=1e-3, duration=5.0, sample_interval=0.05))
    assert len(pieces) > 1
    target = normalize(np.array([0.6, -0.2, 0.5, 0.4]))
    for piece, duration in pieces:
        (tried,) = run_lanes(piece, ["newton_euler"], dt=1e-3, duration=duration, sample_interval=0.05)
        assert np.unique(np.sign(tried.motion.p @ target)).size == 1
    assert [
        piece for piece, _ in smooth_pieces(random_preset(4), dt=1e-3, duration=5.0, sample_interval=0.05)
    ] == [random_preset(4)]
    sides = [np.sign(piece.initial.p() @ target) for piece, _ in pieces]
    assert all(first != second for first, second in itertools.pairwise(sides))


def test_refused_combinations_are_excluded(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Hamilton, body: object, loads: object) -> None:
        raise InputError("loads", expected="none", found="some", remedy="another lane")

    monkeypatch.setattr(Hamilton, "parameters", refuse)
    lanes = run_lanes(
        reference_preset("spring_disk"),
        ["hamilton", "newton_euler"],
        dt=1e-2,
        duration=0.1,
        sample_interval=0.1,
    )
    assert [tried.lane.name for tried in lanes] == ["newton_euler"]


@pytest.mark.parametrize("make", [check_close, lambda *args: check_zero(args[0], *args[1:2], *args[3:])])
def test_nan_is_a_failure(make: Callable[..., Check]) -> None:
    assert not make("x", np.nan, 0.0, 1.0, "run").ok
    assert make("x", 0.5, 0.0, 1.0, "run").ok
    assert make("x", np.nan, 0.0, 1.0, "run").as_dict()["error"] is None


def test_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["verify", "identity"]) == 2
    assert "identities" in capsys.readouterr().err


def test_reference_states_are_packaged() -> None:
    assert {"torque_free", "heavy_top", "spring_disk", "point_force", "intermediate_axis"} <= set(
        reference_cases()
    )


WITHOUT_LANES = (
    "coordinates",
    "errata",
    "fundamental",
    "generalised_forces",
    "identities",
    "lambdas",
    "momenta",
    "operators",
    "scalar_last",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        *WITHOUT_LANES,
        "benchmarks",
        "derivatives",
        "exact",
        "figures",
        "free_inertia",
        "invariants",
        "orders",
        "recordings",
        "rings",
        "rotors",
        "work",
    ],
)
def test_verification_part_passes(part: str) -> None:
    checks = list(PARTS[part]().checks(full=False))
    assert len(checks) >= 9
    assert all(check.ok for check in checks), [check for check in checks if not check.ok]


@pytest.mark.parametrize(
    ("part", "name", "broken"),
    [
        ("scalar_last", "matrix_E", lambda right: lambda eps: right(eps) * [1.0, 1.0, 1.0, -1.0]),
        ("scalar_last", "matrix_R", lambda right: lambda eps: np.swapaxes(right(eps), 1, 2)),
        ("generalised_forces", "matrix_L", lambda right: lambda p: -right(p)),
        ("lambdas", "matrix_L", lambda right: lambda p: 1.01 * right(p)),
        (
            "coordinates",
            "rate_matrix",
            lambda right: lambda name: lambda q: right(name)(q) * [1.0, -1.0, 1.0],
        ),
        ("coordinates", "rate_of", lambda right: lambda slopes, x: 1.01 * right(slopes, x)),
        ("operators", "operator_L", lambda right: lambda slopes, x: -right(slopes, x)),
        ("operators", "operator_R", lambda right: lambda S, x: 1.01 * right(S, x)),
        ("operators", "antisymmetric_slopes", lambda right: lambda slopes: right(slopes)[::-1]),
        ("momenta", "generalized_momenta", lambda right: lambda e, rate, J: 0.5 * right(e, rate, J)),
        ("momenta", "slope_of_coenergy", lambda right: lambda e, rate, J: -right(e, rate, J)),
        ("momenta", "skew", lambda right: lambda v: -right(v)),
        ("fundamental", "moore_penrose", lambda right: lambda mass, u: 0.5 * right(mass, u)),
        ("work", "total_torque", lambda right: lambda *state: 1.01 * right(*state)),
    ],
)
def test_wrong_matrix_is_detected(
    part: str, name: str, broken: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module(f"quatviz.verification.parts.{part}")
    monkeypatch.setattr(module, name, broken(getattr(module, name)))
    assert not all(check.ok for check in PARTS[part]().checks(full=False))


def test_undetected_misprint_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    from quatviz.verification.parts import errata

    same = ErratumResiduals(np.zeros(3), np.zeros(3))
    unseen = Erratum("S0", "nothing", "0", "0", "None.", "nothing", residuals=lambda random: same)
    monkeypatch.setattr(errata, "ERRATA", {"S0": (unseen,)})
    assert [check.ok for check in PARTS["errata"]().checks(full=False)] == [True, False]
