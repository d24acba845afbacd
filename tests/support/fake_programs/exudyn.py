"""A stand-in for the package exudyn with the calls that quatviz makes: one free body, by RK4 on the Lie group in NumPy."""

import sys
from functools import partial
from types import ModuleType, SimpleNamespace

import numpy as np
from scipy.spatial.transform import Rotation

ConfigurationType = SimpleNamespace(Initial="Initial", Current="Current")
DynamicSolverType = SimpleNamespace(RK44="RK44")


class SystemContainer:
    """A container of systems."""

    def AddSystem(self):
        return System()


class System:
    """One body, its markers and loads."""

    def __init__(self):
        self.systemData = SystemData()
        self._markers, self._loads = [], []

    def AddNode(self, node):
        return 0

    def AddObject(self, body):
        a, b, c, d, e, f = body["inertia"]
        self._J = np.array([[a, f, e], [f, b, d], [e, d, c]])
        return 0

    def AddMarker(self, marker):
        self._markers.append(np.array(marker["localPosition"]))
        return len(self._markers) - 1

    def AddLoad(self, load):
        self._loads.append(load)

    def Assemble(self):
        pass

    def SolveDynamic(self, settings, solverType, updateInitialValues):
        assert solverType == "RK44"
        assert updateInitialValues
        assert settings.timeIntegration.explicit.useLieGroupIntegration
        count = settings.timeIntegration.numberOfSteps
        dt = settings.timeIntegration.endTime / count
        q, v = self.systemData.states["Initial"]
        R, w = Rotation.from_rotvec(q[3:]), v[3:]
        for _ in range(count):
            R, w = self._step(R, w, dt)
        state = np.array([0.0, 0.0, 0.0, *R.as_rotvec()]), np.array([0.0, 0.0, 0.0, *w])
        self.systemData.states = {"Initial": state, "Current": state}

    def _step(self, R, w, dt):
        """Make one step of RK4 for the rotation vector from the attitude at its start."""

        def rate(vector, w):
            cross, angle = np.cross(vector, w), np.linalg.norm(vector)
            factor = (1 - angle / 2 / np.tan(angle / 2)) / angle**2 if angle > 1e-4 else 1 / 12
            return w + cross / 2 + factor * np.cross(vector, cross), self._rate(
                R * Rotation.from_rotvec(vector), w
            )

        a = rate(np.zeros(3), w)
        b = rate(dt / 2 * a[0], w + dt / 2 * a[1])
        c = rate(dt / 2 * b[0], w + dt / 2 * b[1])
        d = rate(dt * c[0], w + dt * c[1])
        vector, change = (dt / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]) for i in (0, 1))
        return R * Rotation.from_rotvec(vector), w + change

    def _rate(self, R, w):
        n = np.zeros(3)
        for load in self._loads:
            vector, point = np.array(load["loadVector"]), self._markers[load["markerNumber"]]
            in_body = vector if load.get("bodyFixed") else R.inv().apply(vector)
            n = n + (np.cross(point, in_body) if load["kind"] == "force" else in_body)
        return np.linalg.solve(self._J, n - np.cross(w, self._J @ w))


class SystemData:
    """Coordinates and velocities by configuration."""

    def __init__(self):
        self.states = {name: (np.zeros(6), np.zeros(6)) for name in ("Initial", "Current")}

    def GetODE2Coordinates(self):
        return self.states["Current"][0]

    def GetODE2Coordinates_t(self):
        return self.states["Current"][1]

    def SetODE2Coordinates(self, coordinates, configuration):
        self.states[configuration] = np.array(coordinates), self.states[configuration][1]

    def SetODE2Coordinates_t(self, velocities, configuration):
        self.states[configuration] = self.states[configuration][0], np.array(velocities)


def SimulationSettings():
    return SimpleNamespace(
        timeIntegration=SimpleNamespace(explicit=SimpleNamespace()),
        solution=SimpleNamespace(file=SimpleNamespace()),
        parallel=SimpleNamespace(),
    )


def _items():
    """Return the module of items, each of which is a table here."""
    module = ModuleType("exudyn.itemInterface")
    for name in ("NodeRigidBodyRotVecLG", "ObjectRigidBody", "MarkerBodyRigid"):
        setattr(module, name, dict)
    for name, load in (("LoadForceVector", "force"), ("LoadTorqueVector", "torque")):
        setattr(module, name, partial(dict, kind=load))
    return module


sys.modules["exudyn.itemInterface"] = _items()
