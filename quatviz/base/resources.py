"""Where the files are that quatviz ships, and those that it writes for a person.

Presets and assets stand beside the package in a checkout and inside it once installed. Only this module
knows; everything else asks it.
"""

import json
import os
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def preset_folder() -> Path:
    """The folder of the preset files that quatviz ships."""
    return _shipped("presets")


def asset(name: str) -> Path:
    """The shipped asset `name`, a path relative to the assets (`fonts/Inter-Regular.otf`).

    Raises FileNotFoundError where there is none.
    """
    path = _shipped("assets") / name
    if not path.exists():
        raise FileNotFoundError(
            f"quatviz ships no asset {name!r}: there is no {path}. If it once did, install quatviz anew."
        )
    return path


def checkout() -> Path | None:
    """The root of the checkout that quatviz runs from; None for an installed copy."""
    root = PACKAGE.parent
    return root if (root / "pyproject.toml").is_file() and not (PACKAGE / "presets").exists() else None


def standalone() -> bool:
    """Whether this is the program of the stand-alone folder, which brings its Python along."""
    return bool(getattr(sys, "frozen", False))


def settings_folder() -> Path:
    """Where a person's settings are kept; it may not be there yet. QUATVIZ_SETTINGS_DIR overrides it."""
    return _personal("QUATVIZ_SETTINGS_DIR", "user_config_path")


def own_preset_folder() -> Path:
    """Where a person's own presets are kept; it may not be there yet. QUATVIZ_SETTINGS_DIR overrides it."""
    if os.environ.get("QUATVIZ_SETTINGS_DIR"):
        return settings_folder() / "presets"
    return _of_the_platform("user_data_path") / "presets"


CACHE = "QUATVIZ_CACHE_DIR"
"""The environment variable that names another folder for compiled kernels."""


def cache_folder() -> Path:
    """Where compiled kernels are kept; it may not be there yet. QUATVIZ_CACHE_DIR overrides it."""
    return _personal(CACHE, "user_cache_path")


def kernel_folder() -> Path:
    """Where in it kernels are; it may not be there yet."""
    return cache_folder() / "kernels"


COMPILED = PACKAGE / "compiled"
"""Compiled kernels that travel in the stand-alone folder."""
PROCESSOR = "processor.json"
"""Beside them: what they were compiled for."""


@cache
def shipped_kernel_folder() -> Path | None:
    """Where kernels are that came with the program; None where none did, or another processor is needed to run them."""
    try:
        fits = json.loads((COMPILED / PROCESSOR).read_text("utf-8")) == processor()
    except (OSError, ValueError):
        return None
    return COMPILED if fits else None


def processor() -> list[str]:
    """What a compiled kernel is compiled for."""
    from llvmlite import binding  # late: a checkout ships no kernels, and asks for none

    return [binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()]


SHADERS = "MESA_SHADER_CACHE_DISABLE"
_SHADER_INDEX = 8 + 65_536 * 20
"""Bytes of Mesa's index of compiled shaders."""


def leave_full_shader_cache() -> None:
    """Let Mesa keep no compiled shaders where there is no room for them: it maps its index into memory, holes and all, and on a
    full disk a shader would end the process. Where there is room the index gets all of it now, for a disk that is full later. To be
    called before OpenGL is loaded."""
    if not sys.platform.startswith("linux") or os.environ.get(SHADERS):
        return
    named = os.environ.get("MESA_SHADER_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    place = (Path(named) if named else Path.home() / ".cache").absolute() / "mesa_shader_cache"
    index = place / "index"
    fresh = not index.exists()
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with index.open("ab") as file:
            os.posix_fallocate(file.fileno(), 0, file.tell() or _SHADER_INDEX)  # what is in it stays
    except OSError:
        os.environ[SHADERS] = "true"
        if fresh:
            with suppress(OSError):
                index.unlink(missing_ok=True)


def _shipped(name: str) -> Path:
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


def _personal(variable: str, usual: str) -> Path:
    named = os.environ.get(variable)
    return Path(named).expanduser().absolute() if named else _of_the_platform(usual)


def _of_the_platform(which: str) -> Path:
    import platformdirs  # late: `quatviz doctor` reports on a Python without any library

    path: Path = getattr(platformdirs, which)("quatviz", appauthor=False)
    return path
