"""Functions that workers of tests run."""

import os
import signal
import time
from pathlib import Path

import numpy as np

from quatviz.base.cancellation import raise_if_cancelled
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations.base import Formulation


def slow_squares(folder: Path, start: int, stop: int) -> np.ndarray:
    """Return squares after a delay, and record the worker in the folder."""
    (folder / f"{start}-{os.getpid()}").touch()
    while not (folder / "go").exists():
        time.sleep(0.01)
    return np.arange(start, stop) ** 2


def kill_worker(_: object, start: int, stop: int) -> None:
    """Kill the worker that computes index 20."""
    if start <= 20 < stop:
        os.kill(os.getpid(), signal.SIGKILL)


def run_until_stopped(folder: Path, start: int, stop: int) -> None:
    (folder / f"{start}-begun").touch()
    try:
        while True:
            raise_if_cancelled()
            time.sleep(0.01)
    finally:
        (folder / f"{start}-over").touch()


def make_plugin_formulation(factor: float) -> type[Formulation]:
    return type("SpunUp", (FORMULATIONS["newton_euler"],), {"name": "spun_up", "factor": factor})


def factor_of(_: object) -> float:
    """Return the factor registered under this name in this process."""
    return float(vars(FORMULATIONS["spun_up"])["factor"])


def sleep_briefly() -> int:
    """Sleep long enough for all workers to get some work."""
    time.sleep(0.05)
    return os.getpid()
