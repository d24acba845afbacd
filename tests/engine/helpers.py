"""What the tests of the engine share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import quatviz as qv
from quatviz.core.loads import LOADS
from quatviz.core.preset import Preset

ROOT = Path(__file__).resolve().parents[2]
STATES = json.loads((ROOT / "tests" / "reference" / "states.json").read_text())


def preset_of(case: str) -> Preset:
    """The preset that a reference case describes."""
    given = STATES[case]["input"]
    loads = [
        LOADS[load["kind"]](**{key: value for key, value in load.items() if key != "kind"})
        for load in given["loads"]
    ]
    return Preset(body=qv.Body(**given["body"]), initial=qv.Initial(**given["initial"]), loads=loads)


def random_preset(seed: int, gravity: bool) -> Preset:
    """A body with a full inertia matrix in a random motion, under gravity or free."""
    random = np.random.default_rng(seed)
    squares = random.uniform(0.2, 1.5, 3)
    axes = np.linalg.qr(random.normal(size=(3, 3)))[0]
    inertia = axes @ np.diag(squares.sum() - squares) @ axes.T
    p = random.normal(size=4)
    loads = [qv.Gravity(weight=9.0, centre=random.normal(size=3) * 0.4)] if gravity else []
    return Preset(
        body=qv.Body(inertia=0.5 * (inertia + inertia.T)),
        initial=qv.Initial(
            euler_parameters=p / np.linalg.norm(p), angular_velocity=random.normal(size=3) * 2
        ),
        loads=loads,
    )


def run_python(code: str, folder: Path, *paths: Path, **environment: str) -> str:
    """What a fresh interpreter prints; `paths` come first in its search for modules."""
    search = os.pathsep.join(map(str, (*paths, ROOT)))
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": search, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
