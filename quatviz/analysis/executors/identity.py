"""Identity of an installation: everything that decides which bits it computes.

Work is sent only to installations with the identity of this one.
"""

import hashlib
import platform
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np

from quatviz.base import resources
from quatviz.base.registry import (
    FAMILIES,
    MODULES_ELSEWHERE,
    entry_names,
    package_of_entry_point,
    plugin_entry_points,
)
from quatviz.base.version import __version__
from quatviz.physics.kernels.cache import closure, processor

CODE, PROCESSOR = "quatviz", "processor"
_NON_COMPUTING = {"platformdirs"}
"""Packages on which quatviz depends but which compute nothing, so that their versions do not matter."""
_DIGEST_DIGITS = 10
"""Number of hexadecimal digits to which a digest is shortened."""

Identity = Mapping[str, str]


@cache
def identity(module: str) -> Identity:
    """Return the properties of this installation that decide which bits the functions of a module compute.

    Parameters
    ----------
    module
        Name of the module. Its imports, including plug-ins, are followed as for the kernel cache.

    Returns
    -------
    Identity
        Short texts by name: code, plug-ins, Python, libraries, C library and processor.
    """
    hashes = closure({module, *_registered_modules(module)})
    own_modules = {
        name for name in hashes if name.startswith("quatviz.") or name.partition(".")[0] in _plugins()
    }
    code = "".join(f"{name} {hashes[name]}\n" for name in sorted(own_modules))
    libraries = {
        name.partition(".")[0]: str(release) for name, release in hashes.items() if name not in own_modules
    }
    releases = {
        name: release
        for name, release in sorted(libraries.items())
        if release not in ("python", "None") and name not in _NON_COMPUTING
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
    """Return the differences of two installations as texts. Each text contains a name, the version of `there`
    and the version of `here`."""
    return [
        f"{name} {there.get(name, 'missing')} (here {here.get(name, 'missing')})"
        for name in dict.fromkeys([*here, *there])
        if here.get(name) != there.get(name)
    ]


def _processor() -> str:
    """Return the processor's name and a digest of its features.

    The features determine the code that numba compiles and the loops that NumPy selects.
    """
    system, name, features = processor()
    loops = np.show_config(mode="dicts") or {}
    features_found = loops.get("SIMD Extensions", {}).get("found", [])
    return f"{name} ({_digest(f'{system} {features} {features_found}')})"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_DIGITS]


@cache
def _plugins() -> Mapping[str, str]:
    """Return the versions of the plug-in packages, by package name."""
    points = (point for family in FAMILIES for point in plugin_entry_points(family))
    return {point.module.partition(".")[0]: str(package_of_entry_point(point)) for point in points}


def _registered_modules(module: str) -> Iterator[str]:
    """Yield modules that `module` finds only through registries: built-in classes and plug-ins. Following the
    imports of `module` does not reach them."""
    known = closure({module})
    for group, (location, _) in FAMILIES.items():
        folder = f"quatviz.{location.replace('/', '.')}"
        if folder in known and (resources.PACKAGE / location).is_dir():
            plugin_modules = {point.name: point.module for point in plugin_entry_points(group)}
            plugin_modules |= MODULES_ELSEWHERE.get(group, {})
            yield from (plugin_modules.get(name, f"{folder}.{name}") for name in entry_names(group))
        elif folder.removesuffix(".py") in known:
            yield from (point.module for point in plugin_entry_points(group))
