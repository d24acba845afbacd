"""Benchmark problems and the programs that solve them. A solution has the motion of a body at given samples, and the
processor time."""

import importlib.util
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from quatviz.files.preset import Preset
from quatviz.physics.loads.gravity import Gravity


@dataclass(frozen=True)
class BenchmarkProblem:
    """Motion of the body of a preset, whose body axes are principal axes.

    The only load, if any, is gravity, and the center of mass is on the third axis.
    """

    preset: Preset
    samples: int
    """Number of samples."""
    steps_per_sample: int
    """Number of time steps from one sample to the next."""

    @property
    def dt(self) -> float:
        """Step [s]."""
        return self.preset.run.dt

    @property
    def steps(self) -> int:
        return self.samples * self.steps_per_sample

    @property
    def t(self) -> np.ndarray:
        """Times (samples + 1,) [s] of the samples, including the initial one."""
        return np.arange(self.samples + 1) * (self.steps_per_sample * self.dt)

    @property
    def duration(self) -> float:
        return float(self.t[-1])

    @property
    def moments(self) -> np.ndarray:
        """Principal moments of inertia (3,) [kg m^2]."""
        return np.diag(self.preset.body.inertia).copy()

    @property
    def p(self) -> np.ndarray:
        """Initial Euler parameters (4,)."""
        return self.preset.initial.p()

    @property
    def omega(self) -> np.ndarray:
        """Initial angular velocity (3,) [rad/s, body]."""
        return self.preset.initial.omega(self.preset.body)

    @property
    def weight(self) -> float:
        """Weight of the body [N]; 0 without gravity."""
        return sum(float(load.weight) for load in self.preset.loads if isinstance(load, Gravity))

    @property
    def center_height(self) -> float:
        """Coordinate of the center of mass on the third axis [m]."""
        return sum(float(load.centre[2]) for load in self.preset.loads if isinstance(load, Gravity))


class TimedSolution(NamedTuple):
    """Attitudes that a program computed for a benchmark problem, and the processor time it took."""

    p: np.ndarray
    """Euler parameters (samples + 1, 4); fewer rows if the program is too slow for all samples."""
    seconds: float
    """Processor time [s] that the program took to compute `p`."""


class PeerProgram(ABC):
    """Base class of programs and libraries, one per file of this folder.

    `title` names the program and its method, `package` is the imported package, and `install` says how to install it. An
    `adaptive` program chooses its steps for `TOLERANCE` and interpolates samples; other programs make the steps of
    the problem.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    package: ClassVar[str]
    install: ClassVar[str] = "pip install 'quatviz[bench]', or in a checkout: pip install -e '.[bench]'"
    adaptive: ClassVar[bool] = False
    max_time_ratio: ClassVar[dict[str, float]] = {}
    """Largest accepted ratio of the time of quatviz to that of the program, by name of the preset."""
    compared_lanes: ClassVar[tuple[str, ...]] = ()
    """Lanes with which the program is compared. With () it is compared with all lanes."""

    @classmethod
    def is_installed(cls) -> bool:
        return importlib.util.find_spec(cls.package) is not None

    def supports(self, problem: BenchmarkProblem) -> bool:
        """Return True if the program can solve the problem."""
        return True

    @abstractmethod
    def solve(self, problem: BenchmarkProblem) -> TimedSolution:
        """Solve the problem once. Work that is done once for all runs, such as compiling a model, is not included in the
        measured time."""


TOLERANCE = 1e-12
"""Relative and absolute tolerance of adaptive methods."""
