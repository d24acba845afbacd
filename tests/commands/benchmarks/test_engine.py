"""Every formulation and its C counterpart in `quatviz bench engine` reach the same states."""

import numpy as np
import pytest

from quatviz.commands.benchmarks import engine
from quatviz.physics.formulations import FORMULATIONS
from quatviz.simulation.simulation import Simulation


@pytest.mark.parametrize("problem", engine.PROBLEMS)
def test_c_program_reaches_the_same_states(problem: str) -> None:
    for peer in engine.PEERS:
        run, rows = engine.time_c_loop(peer, problem)
        assert run() > 0.0
        lane = Simulation(engine.peer_preset(peer, problem)).lanes[0]
        lane.advance(engine.SAMPLES)
        assert lane.alive, lane.message
        np.testing.assert_allclose(rows, lane.history.rows[1:], rtol=1e-9, atol=1e-9, err_msg=lane.name)


def test_every_integrated_formulation_has_a_c_program() -> None:
    beside_c = {peer.lanes["free"].partition("/")[0] for peer in engine.PEERS}
    rings = {form.name for form in FORMULATIONS.values() if form.carries_ring or form.has_closed_form}
    # Wrong formulations cost as much as newton_euler; the consistent form differs from the printed one by one term.
    costs_of_others = {"mistaken", "udwadia_schutte_unconstrained_consistent"}
    assert beside_c == set(FORMULATIONS) - rings - costs_of_others
