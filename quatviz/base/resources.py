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
    return _shipped_path("presets")


def asset_path(name: str) -> Path:
    """The shipped asset `name`, a path relative to the assets (`fonts/Inter-Regular.otf`).

    Raises FileNotFoundError where there is none.
    """
    path = _shipped_path("assets") / name
    if not path.exists():
        raise FileNotFoundError(
            f"quatviz ships no asset {name!r}: there is no {path}. If it once did, install quatviz anew."
        )
    return path


def checkout_root() -> Path | None:
    """The root of the checkout that quatviz runs from; None for an installed copy."""
    root = PACKAGE.parent
    return root if (root / "pyproject.toml").is_file() and not (PACKAGE / "presets").exists() else None


def is_standalone() -> bool:
    """Whether this is the program of the stand-alone folder, which brings its Python along."""
    return bool(getattr(sys, "frozen", False))


def settings_folder() -> Path:
    """Where a person's settings are kept; it may not be there yet. QUATVIZ_SETTINGS_DIR overrides it."""
    return _user_folder("QUATVIZ_SETTINGS_DIR", "user_config_path")


def user_preset_folder() -> Path:
    """Where a person's own presets are kept; it may not be there yet. QUATVIZ_SETTINGS_DIR overrides it."""
    if os.environ.get("QUATVIZ_SETTINGS_DIR"):
        return settings_folder() / "presets"
    return _platform_folder("user_data_path") / "presets"


CACHE_FOLDER_VARIABLE = "QUATVIZ_CACHE_DIR"
"""The environment variable that names another folder for compiled kernels."""


def cache_folder() -> Path:
    """Where compiled kernels are kept; it may not be there yet. QUATVIZ_CACHE_DIR overrides it."""
    return _user_folder(CACHE_FOLDER_VARIABLE, "user_cache_path")


def kernel_folder() -> Path:
    """Where in it kernels are; it may not be there yet."""
    return cache_folder() / "kernels"


SHIPPED_KERNEL_FOLDER = PACKAGE / "compiled"
"""Compiled kernels that travel in the stand-alone folder."""
PROCESSOR_FILE = "processor.json"
"""Beside them: what they were compiled for."""


@cache
def shipped_kernel_folder() -> Path | None:
    """Where kernels are that came with the program; None where none did, or another processor is needed to run them."""
    try:
        is_same_processor = (
            json.loads((SHIPPED_KERNEL_FOLDER / PROCESSOR_FILE).read_text("utf-8")) == host_processor()
        )
    except (OSError, ValueError):
        return None
    return SHIPPED_KERNEL_FOLDER if is_same_processor else None


def host_processor() -> list[str]:
    """What a compiled kernel is compiled for."""
    from llvmlite import binding  # late: a checkout ships no kernels, and asks for none

    return [binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()]


SHADER_CACHE_VARIABLE = "MESA_SHADER_CACHE_DISABLE"
_SHADER_INDEX_BYTES = 8 + 65_536 * 20
"""Bytes of Mesa's index of compiled shaders."""


def disable_full_shader_cache() -> None:
    """Let Mesa keep no compiled shaders where there is no room for them: it maps its index into memory, holes and all, and on a
    full disk a shader would end the process. Where there is room the index gets all of it now, for a disk that is full later. To be
    called before OpenGL is loaded."""
    if not sys.platform.startswith("linux") or os.environ.get(SHADER_CACHE_VARIABLE):
        return
    configured = os.environ.get("MESA_SHADER_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    folder = (Path(configured) if configured else Path.home() / ".cache").absolute() / "mesa_shader_cache"
    index = folder / "index"
    is_new = not index.exists()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with index.open("ab") as file:
            os.posix_fallocate(file.fileno(), 0, file.tell() or _SHADER_INDEX_BYTES)  # what is in it stays
    except OSError:
        os.environ[SHADER_CACHE_VARIABLE] = "true"
        if is_new:
            with suppress(OSError):
                index.unlink(missing_ok=True)


def _shipped_path(name: str) -> Path:
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


def _user_folder(variable: str, platform_function: str) -> Path:
    configured = os.environ.get(variable)
    return Path(configured).expanduser().absolute() if configured else _platform_folder(platform_function)


def _platform_folder(platform_function: str) -> Path:
    import platformdirs  # late: `quatviz doctor` reports on a Python without any library

    path: Path = getattr(platformdirs, platform_function)("quatviz", appauthor=False)
    return path
