"""MuJoCo: RK4 with one body on a ball joint. Everything that a rigid body without contacts does not need is disabled."""

import time

import numpy as np

from quatviz.commands.benchmarks.programs.base import BenchmarkProblem, PeerProgram, TimedSolution

_MODEL = """\
<mujoco>
  <option timestep="{dt}" integrator="RK4">
    <flag contact="disable" constraint="disable" equality="disable" frictionloss="disable" limit="disable" island="disable"/>
  </option>
  <worldbody><body>
    <joint type="ball"/>
    <inertial pos="0 0 {height}" mass="{mass}" diaginertia="{moments}"/>
  </body></worldbody>
</mujoco>
"""


class MujocoPeer(PeerProgram):
    """Program with MuJoCo: one body on a ball joint."""

    name = "mujoco"
    title = "MuJoCo RK4"
    package = "mujoco"
    max_time_ratio = {"torque_free": 1 / 85, "heavy_top": 1 / 85}

    def solve(self, problem: BenchmarkProblem) -> TimedSolution:
        import mujoco

        mass = problem.preset.body.mass or 1.0
        about_center = problem.moments - mass * problem.center_height**2 * np.array([1.0, 1.0, 0.0])
        moments = " ".join(map(repr, about_center.tolist()))
        model = mujoco.MjModel.from_xml_string(
            _MODEL.format(dt=problem.dt, height=problem.center_height, mass=mass, moments=moments)
        )
        model.opt.gravity[:] = (0.0, 0.0, -problem.weight / mass)
        data = mujoco.MjData(model)
        data.qpos[:], data.qvel[:] = problem.p, problem.omega
        p = np.empty((problem.samples + 1, 4))
        p[0] = problem.p
        started = time.thread_time()
        for row in p[1:]:
            mujoco.mj_step(model, data, problem.steps_per_sample)
            row[:] = data.qpos
        return TimedSolution(p, time.thread_time() - started)
