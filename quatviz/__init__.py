"""quatviz: rigid-body rotation, seen through every way of writing its equations of motion.

    import quatviz as qv
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler", "hamilton"], duration=20.0)
    run["hamilton"].h          # (n, 3) angular momentum [kg m^2/s], body components

Names are imported when first used, so that `import quatviz` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from quatviz.version import __version__

if TYPE_CHECKING:
    from quatviz.core.body import Body
    from quatviz.core.errors import Refusal
    from quatviz.core.events.change import Change
    from quatviz.core.events.flip import Flip
    from quatviz.core.events.kick import Kick
    from quatviz.core.events.lane_change import LaneChange
    from quatviz.core.events.perturb import Perturb
    from quatviz.core.events.place import Place
    from quatviz.core.events.reverse import Reverse
    from quatviz.core.initial import Initial
    from quatviz.core.loads._potential import Potential
    from quatviz.core.loads.attitude_control import AttitudeControl
    from quatviz.core.loads.damping import Damping
    from quatviz.core.loads.gravity import Gravity
    from quatviz.core.loads.gravity_gradient import GravityGradient
    from quatviz.core.loads.guided_spring import GuidedSpring
    from quatviz.core.loads.internal_dissipation import InternalDissipation
    from quatviz.core.loads.point_force import PointForce
    from quatviz.core.loads.spring import Spring
    from quatviz.core.loads.torque import Torque
    from quatviz.core.preset import Lane, Preset, RunSettings
    from quatviz.scripting import Run, figures, load_preset, simulate, study
    from quatviz.simulation.simulation import Simulation

_PLACES = {
    "AttitudeControl": "quatviz.core.loads.attitude_control",
    "GravityGradient": "quatviz.core.loads.gravity_gradient",
    "InternalDissipation": "quatviz.core.loads.internal_dissipation",
    "Body": "quatviz.core.body",
    "Flip": "quatviz.core.events.flip",
    "Kick": "quatviz.core.events.kick",
    "Place": "quatviz.core.events.place",
    "PointForce": "quatviz.core.loads.point_force",
    "Torque": "quatviz.core.loads.torque",
    "GuidedSpring": "quatviz.core.loads.guided_spring",
    "Spring": "quatviz.core.loads.spring",
    "Change": "quatviz.core.events.change",
    "LaneChange": "quatviz.core.events.lane_change",
    "Damping": "quatviz.core.loads.damping",
    "Gravity": "quatviz.core.loads.gravity",
    "Initial": "quatviz.core.initial",
    "Lane": "quatviz.core.preset",
    "Perturb": "quatviz.core.events.perturb",
    "Potential": "quatviz.core.loads._potential",
    "Preset": "quatviz.core.preset",
    "Reverse": "quatviz.core.events.reverse",
    "Run": "quatviz.scripting",
    "Refusal": "quatviz.core.errors",
    "RunSettings": "quatviz.core.preset",
    "Simulation": "quatviz.simulation.simulation",
    "figures": "quatviz.scripting",
    "load_preset": "quatviz.scripting",
    "simulate": "quatviz.scripting",
    "study": "quatviz.scripting",
}

__all__ = [
    "AttitudeControl",
    "Body",
    "Change",
    "Damping",
    "Flip",
    "Gravity",
    "GravityGradient",
    "GuidedSpring",
    "Initial",
    "InternalDissipation",
    "Kick",
    "Lane",
    "LaneChange",
    "Perturb",
    "Place",
    "PointForce",
    "Potential",
    "Preset",
    "Refusal",
    "Reverse",
    "Run",
    "RunSettings",
    "Simulation",
    "Spring",
    "Torque",
    "__version__",
    "figures",
    "load_preset",
    "simulate",
    "study",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'quatviz' has no attribute {name!r}")
    return getattr(importlib.import_module(_PLACES[name]), name)
