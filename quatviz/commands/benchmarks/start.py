"""`quatviz bench start`: starts of the window, warm and with an empty kernel cache, and of commands.

Beside the window stands the least that a window of its kind can be: numba imported, and Qt's main window with one widget of
OpenGL that clears itself. Every start is a process of its own, timed from the moment that it is asked for until the picture
is painted; starts of different kinds take turns, so that a machine whose speed wanders slows all alike, and medians are
compared. The first of each kind counts for nothing: it fills the caches of Python, of the disk and of kernels.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from quatviz.commands.benchmarks._results import Figure
from quatviz.commands.benchmarks._start import MOVING, PICTURE, PROCESSOR, WHOLE
from quatviz.ui.scene.gl_context import prepare_gl

PLACE = 30

ROUNDS = 7
COLD_ROUNDS = 3
PRESET = "heavy_top"
WITH_EXACT = "intermediate_axis"
"""A preset with a lane that needs no kernel."""
PATIENCE = 600.0
"""Seconds after which a start that shows nothing is given up."""
LEAST = 1.5
"""Reach of a warm start [s], where twice the bare window is less."""
JOINED = 0.2
"""Reach from the first picture to a moving body [s]."""

_COLD = (
    "a child needs a second to import numba and all that it compiles with, then one to four for each lane; the window takes a "
    "part of the two processors for what plays"
)
_LIST = "Python and NumPy take half of it to import, the kinds and the presets the rest"

Times = dict[str, float]
"""When a process did what [s from the moment that it was asked for]."""
END = "end"


def measure(rounds: int = ROUNDS, cold_rounds: int = COLD_ROUNDS) -> Iterator[Figure]:
    """Figures [s]: the median of the rounds, and half the width of their middle half. `InputError` without a display."""
    prepare_gl()
    warm = _by_turns(
        {
            "bare": partial(_shown, "bare"),
            "window": partial(_shown, "window", PRESET),
            "nothing": partial(_run, "-c", "pass"),
            "import": partial(_run, "-c", "import quatviz"),
            "numpy": partial(_run, "-c", "import numpy"),
            "list": partial(_run, "-m", "quatviz", "list"),
        },
        rounds + 1,
    )
    warm = {name: times[1:] for name, times in warm.items()}
    bare = _figure("bare window: first picture", [each[PICTURE] for each in warm["bare"]])
    cheap = _figure("bare window: processor time", [each[PICTURE + PROCESSOR] for each in warm["bare"]])
    window = warm["window"]
    name = f"warm start of {PRESET}"
    yield _figure(
        f"{name}: first picture", [each[PICTURE] for each in window], bare, max(LEAST, 2.0 * bare.value)
    )
    yield _figure(
        f"{name}: from then to a moving body", [each[MOVING] - each[PICTURE] for each in window], reach=JOINED
    )
    yield _figure(
        f"{name}: processor time to the first picture", [each[PICTURE + PROCESSOR] for each in window], cheap
    )
    yield from _cold(bare, cold_rounds)
    yield from _set_up(bare)
    nothing = _figure("python that does nothing", [each[END] for each in warm["nothing"]])
    numpy = _figure("python that imports numpy", [each[END] for each in warm["numpy"]])
    yield _figure(
        "import quatviz, beyond that", [each[END] - nothing.value for each in warm["import"]], nothing, 0.05
    )
    yield _figure("quatviz list", [each[END] for each in warm["list"]], numpy, 0.4, _LIST)


def _cold(bare: Figure, rounds: int) -> Iterator[Figure]:
    """Starts without a kernel in the cache."""
    found = _by_turns({preset: partial(_cold_start, preset) for preset in (PRESET, WITH_EXACT)}, rounds)
    for preset, starts in found.items():
        for what, reach in ((MOVING, 3.0), (WHOLE, 8.0)):
            yield _figure(
                f"empty kernel cache, {preset}: {what}", [each[what] for each in starts], bare, reach
            )


def _set_up(bare: Figure) -> Iterator[Figure]:
    """What set-up compiles, and the first start after it."""
    with tempfile.TemporaryDirectory() as folder:
        took = _run("-m", "quatviz", "compile", QUATVIZ_CACHE_DIR=folder)
        first = _shown("window", PRESET, QUATVIZ_CACHE_DIR=folder)
    yield Figure("set-up compiles what the presets use", took[END], "s", bare)
    reach = max(LEAST, 2.0 * bare.value) + JOINED
    yield Figure(f"first start of {PRESET} after it: {MOVING}", first[MOVING], "s", bare, reach)


def _cold_start(preset: str) -> Times:
    with tempfile.TemporaryDirectory() as folder:
        return _shown("window", preset, QUATVIZ_CACHE_DIR=folder)


def _by_turns(kinds: Mapping[str, Callable[[], Times]], rounds: int) -> dict[str, list[Times]]:
    found: dict[str, list[Times]] = {name: [] for name in kinds}
    for _ in range(rounds):
        for name, start in kinds.items():
            found[name].append(start())
    return found


def _figure(
    name: str,
    samples: Sequence[float],
    reference: Figure | None = None,
    reach: float | None = None,
    why: str = "",
) -> Figure:
    low, middle, high = statistics.quantiles(samples, n=4) if len(samples) > 1 else 3 * [*samples]
    return Figure(name, middle, "s", reference, reach, spread=(high - low) / 2, why=why)


def _shown(*words: str, **environ: str) -> Times:
    """What a window told of its start."""
    began = time.monotonic()
    done = _python("-m", "quatviz.commands.benchmarks._start", repr(began), *words, **environ)
    times: Times = json.loads(done)
    return times


def _run(*words: str, **environ: str) -> Times:
    began = time.monotonic()
    _python(*words, **environ)
    return {END: time.monotonic() - began}


def _python(*words: str, **environ: str) -> bytes:
    """What a Python process prints; it keeps compiled modules, whoever has turned that off for this one."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(
        [sys.executable, *words],
        env={**kept, **environ},
        stdout=subprocess.PIPE,
        check=True,
        timeout=PATIENCE,
    ).stdout
