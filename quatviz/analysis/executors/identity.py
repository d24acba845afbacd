"""What decides about the bits that an installation computes: where it differs, work is not handed over."""

import hashlib
import platform
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np

from quatviz.base import resources
from quatviz.base.registry import FAMILIES, MODULES_ELSEWHERE, names_of, package_of, plugin_points
from quatviz.base.version import __version__
from quatviz.physics.kernels.cache import closure, processor

CODE, PROCESSOR = "quatviz", "processor"
_IDLE = {"platformdirs"}
"""Libraries that compute nothing."""
_SHOWN = 10
"""Digits of a digest that are shown."""

Identity = Mapping[str, str]


@cache
def identity(module: str) -> Identity:
    """What this installation is, as far as functions of a module compute with it: its code and that of plug-ins, followed through
    imports as for the cache of kernels, Python, the libraries, the C library, and the processor. In short words, by name."""
    found = closure({module, *_kinds(module)})
    own = {name for name in found if name.startswith("quatviz.") or name.partition(".")[0] in _plugins()}
    code = "".join(f"{name} {found[name]}\n" for name in sorted(own))
    libraries = {name.partition(".")[0]: str(release) for name, release in found.items() if name not in own}
    releases = {
        name: release
        for name, release in sorted(libraries.items())
        if release not in ("python", "None") and name not in _IDLE
    }
    plugins = ", ".join(sorted(set(_plugins().values())))
    return {
        CODE: f"{__version__} ({_digest(code)})",
        "plug-ins": plugins or "none",
        "python": platform.python_version(),
        **releases,
        "C library": " ".join(platform.libc_ver()).strip() or platform.platform(),
        PROCESSOR: _processor(),
    }


def differences(here: Identity, there: Identity) -> list[str]:
    """Where two installations differ, each in words: what, the version there, the version here."""
    return [
        f"{name} {there.get(name, 'missing')} (here {here.get(name, 'missing')})"
        for name in dict.fromkeys([*here, *there])
        if here.get(name) != there.get(name)
    ]


def _processor() -> str:
    """Its name, and a digest of what it can do: kernels are compiled for that, and NumPy picks its loops by it."""
    system, name, features = processor()
    loops = np.show_config(mode="dicts") or {}
    found = loops.get("SIMD Extensions", {}).get("found", [])
    return f"{name} ({_digest(f'{system} {features} {found}')})"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_SHOWN]


@cache
def _plugins() -> Mapping[str, str]:
    """The packages that add to quatviz, and their versions."""
    points = (point for family in FAMILIES for point in plugin_points(family))
    return {point.module.partition(".")[0]: str(package_of(point)) for point in points}


def _kinds(module: str) -> Iterator[str]:
    """The modules of all kinds that a module knows by their registries alone, own ones and plug-ins."""
    known = closure({module})
    for group, (place, _) in FAMILIES.items():
        folder = f"quatviz.{place.replace('/', '.')}"
        if folder in known and (resources.PACKAGE / place).is_dir():
            outside = {point.name: point.module for point in plugin_points(group)}
            outside |= MODULES_ELSEWHERE.get(group, {})
            yield from (outside.get(name, f"{folder}.{name}") for name in names_of(group))
        elif folder.removesuffix(".py") in known:
            yield from (point.module for point in plugin_points(group))
