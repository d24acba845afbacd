"""`import quatviz` is fast, and its names exist when they are accessed, those of loads and events as classes."""

import subprocess
import sys

import pytest

import quatviz as qv
from quatviz.physics.events import EVENTS
from quatviz.physics.loads import LOADS


def test_importing_quatviz_imports_nothing_else() -> None:
    code = "import sys, quatviz; print(*sorted(name for name in sys.modules if name.startswith('quatviz')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [
        "quatviz",
        "quatviz.base",
        "quatviz.base.numba_settings",
        "quatviz.base.version",
    ]


def test_every_load_and_event_is_public() -> None:
    for cls in (*LOADS.values(), *EVENTS.values()):
        assert getattr(qv, cls.__name__) is cls
        assert cls.__name__ in dir(qv)


def test_public_names_are_complete() -> None:
    named: dict[str, object] = {}
    exec("from quatviz import *", named)
    assert {"Body", "Gravity", "Kick", "Potential", "Run", "simulate", "__version__"} <= set(named)
    assert set(qv.__all__) <= set(named)
    for name in ("Nothing", "nothing", "_nothing"):
        with pytest.raises(AttributeError, match=name):
            getattr(qv, name)
