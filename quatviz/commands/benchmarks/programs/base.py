"""What a program is asked: the motion of one body at given samples, and the processor time that it took."""

import importlib.util
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from quatviz.files.preset import Preset
from quatviz.physics.loads.gravity import Gravity


@dataclass(frozen=True)
class BenchmarkProblem:
    """`samples` samples of the motion of a preset about principal axes, each `steps_per_sample` of its steps after the one
    before; its only load, if it has any, is gravity, whose centre is on the third axis."""

    preset: Preset
    samples: int
    steps_per_sample: int

    @property
    def dt(self) -> float:
        """The step [s]."""
        return self.preset.run.dt

    @property
    def steps(self) -> int:
        return self.samples * self.steps_per_sample

    @property
    def t(self) -> np.ndarray:
        """Times (samples + 1,) [s] of the samples, the start among them."""
        return np.arange(self.samples + 1) * (self.steps_per_sample * self.dt)

    @property
    def duration(self) -> float:
        return float(self.t[-1])

    @property
    def moments(self) -> np.ndarray:
        """Principal moments of inertia (3) [kg m^2]."""
        return np.diag(self.preset.body.inertia).copy()

    @property
    def p(self) -> np.ndarray:
        """Euler parameters (4) at the start."""
        return self.preset.initial.p()

    @property
    def omega(self) -> np.ndarray:
        """Angular velocity (3) [rad/s, body] at the start."""
        return self.preset.initial.omega(self.preset.body)

    @property
    def weight(self) -> float:
        """Of the body [N]; 0 without gravity."""
        return sum(float(load.weight) for load in self.preset.loads if isinstance(load, Gravity))

    @property
    def center_height(self) -> float:
        """Of its centre on the third axis [m]."""
        return sum(float(load.centre[2]) for load in self.preset.loads if isinstance(load, Gravity))


class TimedSolution(NamedTuple):
    """Euler parameters (samples + 1, 4), fewer where a program is too slow for all, and the processor time that they took [s]."""

    p: np.ndarray
    seconds: float


class PeerProgram(ABC):
    """A program or a library, or what people write with it. A file of this folder defines one.

    `title` says which method of it runs, `package` what it is imported by, `install` how one gets it. With `adaptive` it chooses
    its steps for a tolerance of `TOLERANCE`, and gives samples between them; else it makes those of the problem.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    package: ClassVar[str]
    install: ClassVar[str] = "pip install 'quatviz[bench]', or in a checkout: pip install -e '.[bench]'"
    adaptive: ClassVar[bool] = False
    max_time_ratio: ClassVar[dict[str, float]] = {}
    """By the name of a preset: what ours is to take at most, of what the program does."""
    compared_lanes: ClassVar[tuple[str, ...]] = ()
    """Our lanes that it stands beside; none: all."""

    @classmethod
    def is_installed(cls) -> bool:
        return importlib.util.find_spec(cls.package) is not None

    def supports(self, problem: BenchmarkProblem) -> bool:
        """Whether it can be asked for that."""
        return True

    @abstractmethod
    def solve(self, problem: BenchmarkProblem) -> TimedSolution:
        """Compute it once, and time that without what is done once for all runs, such as building a model or compiling it."""


TOLERANCE = 1e-12
"""Relative and absolute, of adaptive methods."""
