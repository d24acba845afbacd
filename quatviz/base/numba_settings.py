"""Import of numba without the settings file of the current folder.

numba reads `.numba_config.yaml` in the current folder when it is imported and again before it compiles. A folder with
recordings from elsewhere could thus choose the folder of numba's cache, whose files are unpickled, or switch the
compiler off. Environment variables `NUMBA_...` stay in force.
"""

import importlib.abc
import importlib.machinery
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType

_CONFIG_MODULE = "numba.core.config"
_YAML = "yaml"
"""Name of the module with which numba reads `.numba_config.yaml`. If it cannot be imported, numba ignores the file with
a warning."""

# At import, because a function that changes the filters would interfere with other threads.
warnings.filterwarnings("ignore", message="A Numba config file is found")


def ignore_settings_of_folder() -> None:
    """Make numba ignore the settings file of the current folder.

    This must be called before numba is imported; later it has no effect.
    """
    if _CONFIG_MODULE not in sys.modules and not any(
        isinstance(finder, _ConfigFinder) for finder in sys.meta_path
    ):
        sys.meta_path.insert(0, _ConfigFinder())


class _ConfigFinder(importlib.abc.MetaPathFinder):
    """Import finder that loads numba's settings module while `yaml` cannot be imported, so that the file is
    ignored."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != _CONFIG_MODULE:
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        specs = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is not None and spec.loader is not None:
            spec.loader = _LoaderWithoutYaml(spec.loader)
        return spec


class _LoaderWithoutYaml(importlib.abc.Loader):
    """Import loader that runs a module while `yaml` cannot be imported."""

    def __init__(self, loader: importlib.abc.Loader) -> None:
        self._loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        with _unavailable(_YAML):
            self._loader.exec_module(module)


@contextmanager
def _unavailable(name: str) -> Iterator[None]:
    """Make every import of the module `name` fail within this context."""
    present = sys.modules.get(name)
    sys.modules[name] = None  # type: ignore[assignment]  # Python raises ImportError for None
    try:
        yield
    finally:
        del sys.modules[name]
        if present is not None:
            sys.modules[name] = present
