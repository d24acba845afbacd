"""Each mistaken formulation has exactly the mistake of its name; its lanes converge with the order of the method."""

import pytest

import quatviz as qv
from quatviz.physics.formulations.mistaken import Mistaken
from quatviz.physics.integrators import INTEGRATORS
from quatviz.verification.judging.mistakes import MISTAKES


@pytest.mark.parametrize("variant", Mistaken.variants)
def test_mistaken_formulations_are_detected_by_name(variant: str) -> None:
    judgement = qv.judge(f"mistaken/{variant}", duration=0.2)
    assert [mistake.name for mistake in judgement.mistakes] == [variant]
    assert variant in MISTAKES


@pytest.mark.parametrize("integrator", ["semi_implicit_euler", "lie_euler"])
def test_mistakes_require_a_vector_beside_p(integrator: str) -> None:
    assert INTEGRATORS[integrator].order == 1
    with pytest.raises(qv.InputError, match="p and either omega or h"):
        qv.simulate(
            qv.load_preset("torque_free"), lanes=["lagrange_full"], integrator=integrator, duration=0.1
        )
