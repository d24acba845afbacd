"""quatviz: rigid-body rotation, seen through every way of writing its equations of motion.

    import quatviz as qv
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler", "hamilton"], duration=20.0)
    run["hamilton"].h          # (n, 3) angular momentum [kg m^2/s], body components

Names are imported when first used, so that `import quatviz` is quick. Loads and events are here by the names of their classes,
`qv.Gravity`, those of plug-ins too.
"""

import importlib
from typing import TYPE_CHECKING, Any

from quatviz.version import __version__

if TYPE_CHECKING:
    # With `as`, for a type checker takes a name of another module for a private one without.
    from quatviz.base.errors import InputError as InputError
    from quatviz.base.registry import Family
    from quatviz.judging.judge import judge as judge
    from quatviz.judging.judgement import Judgement as Judgement
    from quatviz.loads._potential import Potential as Potential
    from quatviz.look.look import Look as Look
    from quatviz.mechanics import euler_sequences as euler_sequences
    from quatviz.mechanics import rotations as rotations
    from quatviz.mechanics.body import Body as Body
    from quatviz.mechanics.initial import Initial as Initial
    from quatviz.motion.reading import Reading as Reading
    from quatviz.motion.recording import Recording as Recording
    from quatviz.own.formulation import formulation as formulation
    from quatviz.recordings.conventions import Convention as Convention
    from quatviz.recordings.conventions import conventions_of as conventions_of
    from quatviz.scripting.calls import figures as figures
    from quatviz.scripting.calls import fit_body as fit_body
    from quatviz.scripting.calls import lagrangian as lagrangian
    from quatviz.scripting.calls import load_preset as load_preset
    from quatviz.scripting.calls import load_recording as load_recording
    from quatviz.scripting.calls import load_run as load_run
    from quatviz.scripting.calls import multiplier as multiplier
    from quatviz.scripting.calls import presets as presets
    from quatviz.scripting.calls import quantities as quantities
    from quatviz.scripting.calls import rhs as rhs
    from quatviz.scripting.calls import simulate as simulate
    from quatviz.scripting.calls import simulate_many as simulate_many
    from quatviz.scripting.calls import study as study
    from quatviz.scripting.calls import sweep as sweep
    from quatviz.scripting.calls import write_recording as write_recording
    from quatviz.scripting.laid import align as align
    from quatviz.scripting.laid import invariants as invariants
    from quatviz.scripting.run import Run as Run
    from quatviz.scripting.solution import Solution as Solution
    from quatviz.sweeps.axes import Axis as Axis
    from quatviz.text.preset import Lane as Lane
    from quatviz.text.preset import Preset as Preset
    from quatviz.text.preset import RunSettings as RunSettings

    formulations: Family
    integrators: Family
    loads: Family

_PLACES = {
    "quatviz.base.errors": ("InputError",),
    "quatviz.judging.judge": ("judge",),
    "quatviz.judging.judgement": ("Judgement",),
    "quatviz.loads._potential": ("Potential",),
    "quatviz.look.look": ("Look",),
    "quatviz.mechanics.body": ("Body",),
    "quatviz.mechanics.initial": ("Initial",),
    "quatviz.motion.reading": ("Reading",),
    "quatviz.motion.recording": ("Recording",),
    "quatviz.recordings.conventions": ("Convention", "conventions_of"),
    "quatviz.own.formulation": ("formulation",),
    "quatviz.scripting.calls": (
        "figures",
        "fit_body",
        "lagrangian",
        "load_preset",
        "load_recording",
        "load_run",
        "multiplier",
        "presets",
        "quantities",
        "rhs",
        "simulate",
        "simulate_many",
        "study",
        "write_recording",
        "sweep",
    ),
    "quatviz.scripting.laid": ("align", "invariants"),
    "quatviz.scripting.run": ("Run",),
    "quatviz.scripting.solution": ("Solution",),
    "quatviz.sweeps.axes": ("Axis",),
    "quatviz.text.preset": ("Lane", "Preset", "RunSettings"),
}
"""Where the names stand that are of no kind."""
_MODULES = {
    "euler_sequences": "quatviz.mechanics.euler_sequences",
    "formulations": "quatviz.formulations",
    "integrators": "quatviz.integrators",
    "loads": "quatviz.loads",
    "rotations": "quatviz.mechanics.rotations",
}
"""Modules that are names here: of functions of rotations, and those that are called for what is in them."""
_KINDS = (("quatviz.loads", "LOADS"), ("quatviz.events", "EVENTS"))
"""Registries whose classes are names here."""


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return _names()
    if name in _MODULES:
        return importlib.import_module(_MODULES[name])
    for place, names in _PLACES.items():
        if name in names:
            return getattr(importlib.import_module(place), name)
    if name[:1].isupper():
        for kind in _kinds():
            if kind.__name__ == name:
                return kind
    raise AttributeError(f"module 'quatviz' has no attribute {name!r}")


def __dir__() -> list[str]:
    return _names()


def _names() -> list[str]:
    fixed = [name for names in _PLACES.values() for name in names]
    return sorted(["__version__", *_MODULES, *fixed, *(kind.__name__ for kind in _kinds())])


def _kinds() -> list[type]:
    """Loads and events; they are imported when one is asked for."""
    return [
        kind
        for package, registry in _KINDS
        for kind in getattr(importlib.import_module(package), registry).values()
    ]
