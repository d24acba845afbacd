"""Paths of the files that quatviz ships and of the folders that it writes for the user.

Presets and assets are beside the package in a checkout and inside it once installed. Only this module
knows the difference.
"""

import json
import os
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
"""Folder of the package `quatviz`."""


def preset_folder() -> Path:
    """Return the folder of the preset files that quatviz ships."""
    return _shipped_path("presets")


def asset_path(name: str) -> Path:
    """Return the path of a shipped asset.

    Parameters
    ----------
    name
        Path relative to the asset folder, such as ``fonts/Inter-Regular.otf``.

    Raises
    ------
    FileNotFoundError
        If quatviz ships no such asset.
    """
    path = _shipped_path("assets") / name
    if not path.exists():
        raise FileNotFoundError(
            f"quatviz ships no asset {name!r}: there is no {path}. If it once did, install quatviz anew."
        )
    return path


def checkout_root() -> Path | None:
    """Return the root of the checkout that quatviz runs from, or None for an installed copy."""
    root = PACKAGE.parent
    return root if (root / "pyproject.toml").is_file() and not (PACKAGE / "presets").exists() else None


def is_standalone() -> bool:
    """Return True in the stand-alone program, which is shipped with its own Python."""
    return bool(getattr(sys, "frozen", False))


def settings_folder() -> Path:
    """Return the folder of the user's settings, which may not exist yet. QUATVIZ_SETTINGS_DIR overrides it."""
    return _user_folder("QUATVIZ_SETTINGS_DIR", "user_config_path")


def user_preset_folder() -> Path:
    """Return the folder of the user's presets, which may not exist yet. QUATVIZ_SETTINGS_DIR overrides it."""
    if os.environ.get("QUATVIZ_SETTINGS_DIR"):
        return settings_folder() / "presets"
    return _platform_folder("user_data_path") / "presets"


CACHE_FOLDER_VARIABLE = "QUATVIZ_CACHE_DIR"
"""Environment variable that selects another cache folder."""


def cache_folder() -> Path:
    """Return the cache folder, which may not exist yet. QUATVIZ_CACHE_DIR overrides it."""
    return _user_folder(CACHE_FOLDER_VARIABLE, "user_cache_path")


def kernel_folder() -> Path:
    """Return the folder of compiled kernels within the cache folder. It may not exist yet."""
    return cache_folder() / "kernels"


SHIPPED_KERNEL_FOLDER = PACKAGE / "compiled"
"""Folder of the compiled kernels that the stand-alone program ships."""
PROCESSOR_FILE = "processor.json"
"""File in `SHIPPED_KERNEL_FOLDER` with the processor that the kernels were compiled for."""


@cache
def shipped_kernel_folder() -> Path | None:
    """Return the folder of the shipped kernels, or None if there are none or they were compiled for another processor."""
    try:
        is_same_processor = (
            json.loads((SHIPPED_KERNEL_FOLDER / PROCESSOR_FILE).read_text("utf-8")) == host_processor()
        )
    except (OSError, ValueError):
        return None
    return SHIPPED_KERNEL_FOLDER if is_same_processor else None


def host_processor() -> list[str]:
    """Return name and features of this machine's processor, which compiled kernels depend on."""
    from llvmlite import binding  # imported here because a checkout, which ships no kernels, does not need it

    return [binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()]


SHADER_CACHE_VARIABLE = "MESA_SHADER_CACHE_DISABLE"
"""Environment variable that switches off the cache in which Mesa keeps compiled shaders."""
_SHADER_INDEX_BYTES = 8 + 65_536 * 20
"""Size of Mesa's index of compiled shaders [bytes]."""


def disable_full_shader_cache() -> None:
    """Disable Mesa's shader cache if the disk is too full for it. Call before OpenGL is loaded.

    Mesa maps a sparse index file into memory, so that on a full disk the first compiled shader would end the
    process. If there is room, the whole index is allocated now in case the disk fills up later.
    """
    if not sys.platform.startswith("linux") or os.environ.get(SHADER_CACHE_VARIABLE):
        return
    configured = os.environ.get("MESA_SHADER_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    folder = (Path(configured) if configured else Path.home() / ".cache").absolute() / "mesa_shader_cache"
    index = folder / "index"
    is_new = not index.exists()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with index.open("ab") as file:
            os.posix_fallocate(file.fileno(), 0, file.tell() or _SHADER_INDEX_BYTES)  # keeps existing content
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
    import platformdirs  # imported here because `quatviz doctor` must run without any library

    path: Path = getattr(platformdirs, platform_function)("quatviz", appauthor=False)
    return path
