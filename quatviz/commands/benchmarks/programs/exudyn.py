"""Exudyn: explicit Runge-Kutta method of order four on the Lie group, its fastest solver of this order
for these problems.

With Tait-Bryan angles the same method takes twice as long. The explicit solvers do not support joints: the node of
the top is at its pivot with the inertia about it, and the weight acts at the center of mass. The translation of the
node does not affect the rotation.
"""

import time
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from quatviz.commands.benchmarks.programs.base import BenchmarkProblem, PeerProgram, TimedSolution
from quatviz.physics.mechanics.rotations import to_rotation_vector


class ExudynPeer(PeerProgram):
    """Program with Exudyn: one rigid body, integrated on the Lie group."""

    name = "exudyn"
    title = "Exudyn RK44"
    package = "exudyn"
    max_time_ratio = {"torque_free": 1 / 25, "heavy_top": 1 / 25}

    def solve(self, problem: BenchmarkProblem) -> TimedSolution:
        import exudyn

        container = exudyn.SystemContainer()
        system = container.AddSystem()
        sensor = _build_system(system, problem)
        settings = exudyn.SimulationSettings()
        settings.timeIntegration.numberOfSteps = problem.steps
        settings.timeIntegration.endTime = problem.duration
        settings.timeIntegration.automaticStepSize = False
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.explicit.useLieGroupIntegration = True
        settings.timeIntegration.explicit.computeEndOfStepAccelerations = False
        settings.solution.file.write = False
        settings.solution.sensors.writePeriod = problem.steps_per_sample * problem.dt
        settings.parallel.numberOfThreads = 1
        started = time.thread_time()
        system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.RK44)
        seconds = time.thread_time() - started
        matrices = np.asarray(system.GetSensorStoredData(sensor))[:, 1:].reshape(-1, 3, 3)
        return TimedSolution(Rotation.from_matrix(matrices).as_quat(scalar_first=True), seconds)


def _build_system(system: Any, problem: BenchmarkProblem) -> Any:
    """Build the body in a system of Exudyn, and return the sensor of its attitude."""
    import exudyn
    import exudyn.itemInterface as items  # noqa: N813

    rotation_vector = to_rotation_vector(problem.p).tolist()
    node = system.AddNode(
        items.NodeRigidBodyRotVecLG(
            referenceCoordinates=[0.0, 0.0, 0.0, *rotation_vector],
            initialVelocities=[0.0, 0.0, 0.0, *problem.omega],
        )
    )
    inertia = [*problem.moments, 0.0, 0.0, 0.0]
    body = system.AddObject(items.ObjectRigidBody(mass=1.0, inertia=inertia, nodeNumber=node))
    if problem.weight:
        center = system.AddMarker(
            items.MarkerBodyRigid(bodyNumber=body, localPosition=[0.0, 0.0, problem.center_height])
        )
        weight = [0.0, 0.0, -problem.weight]
        system.AddLoad(items.LoadForceVector(markerNumber=center, loadVector=weight))
    matrix = exudyn.OutputVariableType.RotationMatrix
    sensor = system.AddSensor(
        items.SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=matrix)
    )
    system.Assemble()
    return sensor
