"""`quatviz bench start`: startup of the window, with full and empty kernel cache, and of commands.

The window is compared with a minimal one: numba imported, and a main window with one OpenGL widget that is cleared. Every
start is a separate process, timed from its request until the picture is painted. Different starts alternate, so that
changes of the machine's speed affect all, and medians are compared. The first start of each type is discarded, because it
fills the caches of Python, of the disk and of kernels.
"""

import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from quatviz.base.child_processes import python_command
from quatviz.commands.benchmarks._results import BenchmarkResult
from quatviz.commands.benchmarks._start import (
    ALL_LANES_MOVING,
    FIRST_PICTURE,
    MEMORY,
    MOVING_BODY,
    PROCESSOR_SUFFIX,
)
from quatviz.ui.scene.gl_context import prepare_gl

PLACE = 30

ROUNDS = 7
COLD_ROUNDS = 3
PRESET = "heavy_top"
WITH_EXACT = "intermediate_axis"
"""Preset with a lane of the exact solution. This lane moves without a compiled kernel."""
TIMEOUT = 600.0
"""Longest wait for the first picture of a start [s]."""
MIN_REACH = 1.1
"""Target [s] for a start with full kernel cache: this value, or twice the time of the bare window if that is larger."""
MAX_MEMORY = 250.0
"""Target for the memory of a window that has just started [MB]."""
COLD_REACHES = {MOVING_BODY: 2.5, ALL_LANES_MOVING: 6.0}
"""Targets [s] for the times of two events in a start with an empty kernel cache."""
MOVING_REACH = 0.2
"""Target for the time from the first picture until the body moves [s]."""

_COLD_REASON = (
    "a child process needs a second to import the compiler, then one to four seconds per lane; the window uses a "
    "part of the two processors for playback"
)
_MEMORY_REASON = (
    "half of this memory is that of the two LLVM libraries of numba and of software OpenGL, mostly shared with "
    "other processes"
)
_LIST_REASON = "half of this time is the start of Python and the import of NumPy, the rest is that of registries and presets"

Times = dict[str, float]
"""Times [s] of events in a process, by name of the event. They count from the request to start the process."""
END = "end"


def measure(rounds: int = ROUNDS, cold_rounds: int = COLD_ROUNDS) -> Iterator[BenchmarkResult]:
    """Yield startup times [s], each with the median of the rounds and half the interquartile range. Raises `InputError`
    without a display."""
    prepare_gl()
    warm = _run_alternating(
        {
            "bare": partial(_window_times, "bare"),
            "window": partial(_window_times, "window", PRESET),
            "nothing": partial(_process_time, "-c", "pass"),
            "import": partial(_process_time, "-c", "import quatviz"),
            "numpy": partial(_process_time, "-c", "import numpy"),
            "list": partial(_process_time, "-m", "quatviz", "list"),
        },
        rounds + 1,
    )
    warm = {name: times[1:] for name, times in warm.items()}
    bare = _summarize("bare window: first picture", [start[FIRST_PICTURE] for start in warm["bare"]])
    bare_processor = _summarize(
        "bare window: processor time", [start[FIRST_PICTURE + PROCESSOR_SUFFIX] for start in warm["bare"]]
    )
    window = warm["window"]
    name = f"warm start of {PRESET}"
    yield _summarize(
        f"{name}: first picture",
        [start[FIRST_PICTURE] for start in window],
        bare,
        max(MIN_REACH, 2.0 * bare.value),
    )
    yield _summarize(
        f"{name}: from first picture to moving body",
        [start[MOVING_BODY] - start[FIRST_PICTURE] for start in window],
        reach=MOVING_REACH,
    )
    yield _summarize(
        f"{name}: processor time to the first picture",
        [start[FIRST_PICTURE + PROCESSOR_SUFFIX] for start in window],
        bare_processor,
    )
    own_memory, bare_memory = (
        statistics.median(start[MEMORY] for start in starts) for starts in (window, warm["bare"])
    )
    yield BenchmarkResult(
        f"memory of a fresh window of {PRESET}",
        own_memory,
        "MB",
        BenchmarkResult("bare window: memory", bare_memory, "MB"),
        MAX_MEMORY,
        why=_MEMORY_REASON,
    )
    yield from _cold_starts(bare, cold_rounds)
    yield from _setup_times(bare)
    nothing = _summarize("empty Python process", [start[END] for start in warm["nothing"]])
    numpy = _summarize("Python process that imports numpy", [start[END] for start in warm["numpy"]])
    yield _summarize(
        "import quatviz, in addition", [start[END] - nothing.value for start in warm["import"]], nothing, 0.05
    )
    yield _summarize("quatviz list", [start[END] for start in warm["list"]], numpy, 0.4, _LIST_REASON)


def _cold_starts(bare: BenchmarkResult, rounds: int) -> Iterator[BenchmarkResult]:
    """Yield the results of starts with an empty kernel cache, compared with the bare window."""
    starts_by_preset = _run_alternating(
        {preset: partial(_cold_start, preset) for preset in (PRESET, WITH_EXACT)}, rounds
    )
    for preset, starts in starts_by_preset.items():
        for event, reach in COLD_REACHES.items():
            yield _summarize(
                f"empty kernel cache, {preset}: {event}", [start[event] for start in starts], bare, reach
            )


def _setup_times(bare: BenchmarkResult) -> Iterator[BenchmarkResult]:
    """Yield two times: that of the compilation during setup, and that of the first start of the window after setup."""
    with tempfile.TemporaryDirectory() as folder:
        setup = _process_time("-m", "quatviz", "compile", QUATVIZ_CACHE_DIR=folder)
        first = _window_times("window", PRESET, QUATVIZ_CACHE_DIR=folder)
    yield BenchmarkResult("setup: compilation of the presets", setup[END], "s", bare)
    reach = max(MIN_REACH, 2.0 * bare.value) + MOVING_REACH
    yield BenchmarkResult(
        f"first start of {PRESET} after setup: {MOVING_BODY}", first[MOVING_BODY], "s", bare, reach
    )


def _cold_start(preset: str) -> Times:
    with tempfile.TemporaryDirectory() as folder:
        return _window_times("window", preset, QUATVIZ_CACHE_DIR=folder)


def _run_alternating(runs: Mapping[str, Callable[[], Times]], rounds: int) -> dict[str, list[Times]]:
    times: dict[str, list[Times]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, start in runs.items():
            times[name].append(start())
    return times


def _summarize(
    name: str,
    samples: Sequence[float],
    reference: BenchmarkResult | None = None,
    reach: float | None = None,
    why: str = "",
) -> BenchmarkResult:
    low, middle, high = statistics.quantiles(samples, n=4) if len(samples) > 1 else 3 * [*samples]
    return BenchmarkResult(name, middle, "s", reference, reach, spread=(high - low) / 2, why=why)


def _window_times(*arguments: str, **environ: str) -> Times:
    """Start a window in a separate process with these arguments, and return the times of the events that it reports."""
    started = time.monotonic()
    output = _run_python("-m", "quatviz.commands.benchmarks._start", repr(started), *arguments, **environ)
    times: Times = json.loads(output)
    return times


def _process_time(*arguments: str, **environ: str) -> Times:
    started = time.monotonic()
    _run_python(*arguments, **environ)
    return {END: time.monotonic() - started}


def _run_python(*arguments: str, **environ: str) -> bytes:
    """Run Python in a child process with these arguments, and return its output. The child caches compiled
    modules even if this process does not."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(
        python_command(*arguments),
        env={**inherited, **environ},
        stdout=subprocess.PIPE,
        check=True,
        timeout=TIMEOUT,
    ).stdout
