"""quatviz: rigid-body rotation, computed and compared in many formulations of the equations of motion.

    import quatviz as qv
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler", "hamilton"], duration=20.0)
    run["hamilton"].h          # (n, 3) angular momentum [kg m^2/s], body components

A name is imported when it is first used, so that `import quatviz` is quick. The classes of loads and events,
including those of plug-ins, are attributes of this package, such as `qv.Gravity`.
"""

# This must run before all other imports. Until then, a module of the current folder may be imported in place of a standard one.
import sys

if sys.argv[:1] == ["-m"] and not sys.flags.safe_path and "-m" in sys.orig_argv:
    # `python -m quatviz` searches the current folder first, where a recording may lie beside a file json.py.
    _started_module = sys.orig_argv[sys.orig_argv.index("-m") + 1]
    _package_path = (f"{sys.path[0]}/quatviz", f"{sys.path[0]}\\quatviz")
    if _started_module.partition(".")[0] == "quatviz" and __path__[0] not in _package_path:
        del sys.path[0]

import importlib
from typing import TYPE_CHECKING, Any

from quatviz.base.numba_settings import ignore_settings_of_folder
from quatviz.base.version import __version__

ignore_settings_of_folder()

if TYPE_CHECKING:
    # Without `as`, type checkers treat names imported from other modules as private.
    from quatviz.analysis.sweeps.axes import Axis as Axis
    from quatviz.analysis.user_formulations.formulation import formulation as formulation
    from quatviz.api.alignment import align as align
    from quatviz.api.alignment import invariants as invariants
    from quatviz.api.calls import figures as figures
    from quatviz.api.calls import fit_body as fit_body
    from quatviz.api.calls import lagrangian as lagrangian
    from quatviz.api.calls import load_preset as load_preset
    from quatviz.api.calls import load_recording as load_recording
    from quatviz.api.calls import load_run as load_run
    from quatviz.api.calls import multiplier as multiplier
    from quatviz.api.calls import presets as presets
    from quatviz.api.calls import quantities as quantities
    from quatviz.api.calls import rhs as rhs
    from quatviz.api.calls import simulate as simulate
    from quatviz.api.calls import simulate_many as simulate_many
    from quatviz.api.calls import study as study
    from quatviz.api.calls import sweep as sweep
    from quatviz.api.calls import write_recording as write_recording
    from quatviz.api.run import Run as Run
    from quatviz.api.solution import Solution as Solution
    from quatviz.base.errors import InputError as InputError
    from quatviz.base.registry import CallableModule
    from quatviz.display.view_state.view_state import ViewState as ViewState
    from quatviz.files.preset import Lane as Lane
    from quatviz.files.preset import Preset as Preset
    from quatviz.files.preset import RunSettings as RunSettings
    from quatviz.files.preset_reading import parse_preset as parse_preset
    from quatviz.physics.loads._function import load as load
    from quatviz.physics.loads._potential import Potential as Potential
    from quatviz.physics.mechanics import euler_sequences as euler_sequences
    from quatviz.physics.mechanics import rotations as rotations
    from quatviz.physics.mechanics.body import Body as Body
    from quatviz.physics.mechanics.initial import Initial as Initial
    from quatviz.physics.mechanics.rotor import Rotor as Rotor
    from quatviz.physics.observables.read_options import ReadOptions as ReadOptions
    from quatviz.physics.observables.recording import Recording as Recording
    from quatviz.physics.typed_formulations.definition import TypedFormulation as TypedFormulation
    from quatviz.recordings.conventions import Convention as Convention
    from quatviz.recordings.conventions import conventions_of as conventions_of
    from quatviz.verification.judging.judge import judge as judge
    from quatviz.verification.judging.judgement import Judgement as Judgement

    formulations: CallableModule
    integrators: CallableModule
    loads: CallableModule

_EXPORTS = {
    "quatviz.base.errors": ("InputError",),
    "quatviz.verification.judging.judge": ("judge",),
    "quatviz.verification.judging.judgement": ("Judgement",),
    "quatviz.physics.loads._function": ("load",),
    "quatviz.physics.loads._potential": ("Potential",),
    "quatviz.display.view_state.view_state": ("ViewState",),
    "quatviz.physics.mechanics.body": ("Body",),
    "quatviz.physics.mechanics.initial": ("Initial",),
    "quatviz.physics.mechanics.rotor": ("Rotor",),
    "quatviz.physics.typed_formulations.definition": ("TypedFormulation",),
    "quatviz.physics.observables.read_options": ("ReadOptions",),
    "quatviz.physics.observables.recording": ("Recording",),
    "quatviz.recordings.conventions": ("Convention", "conventions_of"),
    "quatviz.analysis.user_formulations.formulation": ("formulation",),
    "quatviz.api.calls": (
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
    "quatviz.api.alignment": ("align", "invariants"),
    "quatviz.api.run": ("Run",),
    "quatviz.api.solution": ("Solution",),
    "quatviz.analysis.sweeps.axes": ("Axis",),
    "quatviz.files.preset": ("Lane", "Preset", "RunSettings"),
    "quatviz.files.preset_reading": ("parse_preset",),
}
"""Public functions and classes by the module that defines them, except loads and events."""
_MODULES = {
    "euler_sequences": "quatviz.physics.mechanics.euler_sequences",
    "formulations": "quatviz.physics.formulations",
    "integrators": "quatviz.physics.integrators",
    "loads": "quatviz.physics.loads",
    "rotations": "quatviz.physics.mechanics.rotations",
}
"""Modules that are attributes of `quatviz`, by attribute name."""
_REGISTRIES = (("quatviz.physics.loads", "LOADS"), ("quatviz.physics.events", "EVENTS"))
"""Registries (module, name) whose classes are attributes of `quatviz`."""
_FORMER_CLASSES = {
    "Change": "ChangeModel",
    "Flip": "FlipSign",
    "Look": "ViewState",
    "Place": "SetState",
    "Reading": "ReadOptions",
}
"""Present names of renamed public classes, by the names that they had in the previous release."""


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return _public_names()
    if name in _MODULES:
        return importlib.import_module(_MODULES[name])
    for module, names in _EXPORTS.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    if name in _FORMER_CLASSES:
        new = _FORMER_CLASSES[name]
        importlib.import_module("quatviz.base.deprecation").warn_renamed(f"quatviz.{name}", f"quatviz.{new}")
        return __getattr__(new)
    if name[:1].isupper():
        for cls in _registered_classes():
            if cls.__name__ == name:
                return cls
    raise AttributeError(f"module 'quatviz' has no attribute {name!r}")


def __dir__() -> list[str]:
    return _public_names()


def _public_names() -> list[str]:
    fixed = [name for names in _EXPORTS.values() for name in names]
    return sorted(["__version__", *_MODULES, *fixed, *(cls.__name__ for cls in _registered_classes())])


def _registered_classes() -> list[type]:
    """Return the classes of all loads and events. Their registries are imported here, on first use."""
    return [
        cls
        for package, registry in _REGISTRIES
        for cls in getattr(importlib.import_module(package), registry).values()
    ]
