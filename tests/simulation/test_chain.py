"""The call chain from a script to the first kernel is short, and all its functions have names."""

import inspect

import pytest

import quatviz as qv
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.integrators.rk4 import RK4
from quatviz.physics.kernels.blocks import fixed_step_block

CHAINS: list[list[str]] = []


def _asked(*arguments):
    """Callers and callees among quatviz's functions before the kernel call."""
    chain: list[str] = []
    here = inspect.currentframe()
    frame = here and here.f_back
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("quatviz."):
            chain.append(frame.f_code.co_qualname)
        frame = frame.f_back
    CHAINS.append(chain[::-1])
    return fixed_step_block(*arguments)


class Watched(RK4):
    """rk4 whose block records its callers."""

    name = "watched"
    block = staticmethod(_asked)


def test_call_chain_from_simulate_to_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most nine calls: six lead to the compiling call and eight to the computing one."""
    monkeypatch.setitem(INTEGRATORS.entries(), Watched.name, Watched)
    CHAINS.clear()
    qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], integrator="watched", duration=0.1)
    begin = ["simulate", "Simulation.complete", "complete"]
    assert [
        [*begin, "LaneRun.prepare", "LaneRun._load_kernels", "LaneSolver.load_kernels", "advance"],
        [
            *begin,
            "complete.<locals>.compute_lane",
            "LaneRun.advance_briefly",
            "LaneRun.advance",
            "LaneRun._advance_to_event",
            "LaneSolver.advance",
            "advance",
        ],
    ] == CHAINS
