"""A stand-in for the package mujoco with the calls that quatviz makes: one body on a ball joint, by RK4 in NumPy."""

import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import numpy as np

_QVEL, _QPOS = slice(0, 3), slice(3, 7)


class MjModel:
    """Inertia about the joint, mass and center of mass of the model's only body."""

    mass: float
    pos: np.ndarray
    J: np.ndarray
    opt: SimpleNamespace

    @classmethod
    def from_xml_string(cls, text):
        (inertial,) = ElementTree.fromstring(text).iter("inertial")
        values = {name: np.array(value.split(), float) for name, value in inertial.attrib.items()}
        mass, pos = float(values["mass"][0]), values["pos"]
        a, b, c, d, e, f = values["fullinertia"]
        model = cls()
        model.mass, model.pos = mass, pos
        about_center = np.array([[a, d, e], [d, b, f], [e, f, c]])
        if np.linalg.eigvalsh(about_center)[0] <= 0.0:
            raise ValueError("inertia must be positive")
        model.J = about_center + mass * (pos @ pos * np.eye(3) - np.outer(pos, pos))
        model.opt = SimpleNamespace(gravity=np.zeros(3), timestep=0.002)
        return model


class MjData:
    """State and applied torques."""

    def __init__(self, model):
        mj_resetData(model, self)


def mj_resetData(model, data):
    data.qpos, data.qvel = np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3)
    data.qfrc_applied, data.xfrc_applied = np.zeros(3), np.zeros((2, 6))


def mj_step(model, data, count):
    dt, y = model.opt.timestep, np.concatenate((data.qvel, data.qpos))
    for _ in range(count):
        a = _rate(model, data, y)
        b = _rate(model, data, y + dt / 2 * a)
        c = _rate(model, data, y + dt / 2 * b)
        y = y + dt / 6 * (a + 2 * b + 2 * c + _rate(model, data, y + dt * c))
    data.qvel[:], data.qpos[:] = y[_QVEL], y[_QPOS]


def _rate(model, data, y):
    w, (e0, *e) = y[_QVEL], y[_QPOS] / np.linalg.norm(y[_QPOS])
    skew = np.array([[0.0, -e[2], e[1]], [e[2], 0.0, -e[0]], [-e[1], e[0], 0.0]])
    A = np.eye(3) + 2.0 * e0 * skew + 2.0 * skew @ skew
    n = np.cross(model.pos, A.T @ (model.mass * model.opt.gravity))
    n = n + data.qfrc_applied + A.T @ data.xfrc_applied[1, 3:]
    rate = np.linalg.solve(model.J, n - np.cross(w, model.J @ w))
    return np.concatenate((rate, 0.5 * np.concatenate(([-np.dot(e, w)], e0 * w + np.cross(e, w)))))
