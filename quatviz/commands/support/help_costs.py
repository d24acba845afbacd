"""Measurement of the costs of integrators for the table in the help. The attribute `measured` of each integrator
contains its costs.

`python -m quatviz.commands.support.help_costs gauss4 gauss6`, in a checkout, prints the costs of these two. Times
differ between machines more than their ratios do. Each printed time is therefore the measured ratio to `rk4`,
multiplied by the time of `rk4` in `newton_euler` from the table.
"""

import sys

import numpy as np

from quatviz.base.errors import InputError
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.verification.motions import reference_cases, reference_preset

FREE, HEAVY_TOP = "torque_free", "heavy_top"
RUNS, SECONDS = 9, 20.0
"""Number of runs from which the cost of a method is measured, and duration [s] of each."""
ERRORS = (("point_force", 10.0, 1e-3), (FREE, 100.0, 1e-3), (HEAVY_TOP, 10.0, 1e-4))
"""Cases in which errors are measured: motion, time [s] at which the attitude is compared, and step [s]."""


def run_lane(case: str, integrator: str, form: str, dt: float, duration: float) -> LaneRun | None:
    """Run a lane of a preset and return it, or None if the lane is refused or ends early."""
    settings = {"duration": duration, "dt": dt, "sample_interval": 0.01, "integrator": integrator}
    try:
        run = Simulation(reference_preset(case).with_run(lanes=[form], **settings))
    except InputError:
        return None
    run.complete(jobs=1)
    return run.lanes[0] if run.lanes[0].status == "ok" else None


def cost_ratio(case: str, integrator: str, form: str) -> float | None:
    """Return the processor time per step, divided by that of `rk4` in `newton_euler`.

    Each of the two times is the minimum of several alternating runs, so that other load on the machine affects both.
    """
    times: list[float] = []
    reference_times: list[float] = []
    for _ in range(RUNS):
        for samples, lane in ((times, (integrator, form)), (reference_times, ("rk4", "newton_euler"))):
            finished_lane = run_lane(case, *lane, 1e-3, SECONDS)
            if finished_lane is None:
                return None
            samples.append(finished_lane.solver.cost)
    return min(times) / min(reference_times)


def attitude_error(case: str, time: float, dt: float, integrator: str, form: str) -> str:
    """Return the angle [rad] between the attitude of a lane and the reference at `time`, as text for the table.

    Return "" if the lane cannot be run.
    """
    lane = run_lane(case, integrator, form, dt, time)
    if lane is None:
        return ""
    reference = reference_cases()[case]["e"][reference_cases()[case]["times"].index(time)]
    return f"{float(relative_angle(lane.p[-1], np.asarray(reference))):.1e}"


def table_row(integrator: str, form: str) -> str:
    """Return the measured row of an integrator as Python code for its attribute `measured`."""
    reference = INTEGRATORS["rk4"].measured[0]
    cells = []
    for case, unit in ((FREE, reference.torque_free_cost), (HEAVY_TOP, reference.gravity_cost)):
        times = cost_ratio(case, integrator, form)
        assert isinstance(unit, float | int)
        cells.append("None" if times is None else f"{times * unit:.0f}")
    errors = tuple(attitude_error(*case, integrator, form) for case in ERRORS)
    return f"{integrator}: Measured({', '.join(cells)}, {errors})"


def main() -> None:
    for word in sys.argv[1:] or INTEGRATORS:
        name, _, form = word.partition(":")
        print(table_row(name, form or "newton_euler").replace("'", '"'))


if __name__ == "__main__":
    main()
