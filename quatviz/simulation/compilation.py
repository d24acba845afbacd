"""Compilation of kernels in child processes, which fill the cache from which this process loads them.

Compiling a kernel in a thread of the window blocks the window for most of a second; loading it from the cache takes
milliseconds. A marker file in the cache folder indicates that the kernels of a formulation and an integrator are
cached. The file name depends on all their sources, so that it never refers to outdated kernels.

This module is also the program of the child processes; `physics.kernels.compiler_pool` starts them and sends them jobs.
"""

import gc
import hashlib
import json
import logging
import os
import queue
import signal
import sys
import threading
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from quatviz.base.errors import InputError, phrase
from quatviz.files.preset import Preset
from quatviz.files.preset_reading import format_preset, parse_preset
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.kernels import binder, blocks, cache, extremes_cache
from quatviz.physics.kernels.compiler_pool import (
    BACKGROUND_OPTION,
    READY_SUFFIX,
    Child,
    CompilerPool,
    background_niceness,
    send_job,
    start_compiler,
)
from quatviz.physics.loads.base import kernel_modules
from quatviz.physics.mechanics.state import StateVariable
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.problem import are_registered

log = logging.getLogger(__name__)


def mark_path(lane: LaneRun) -> Path:
    """Return the path of the marker file whose existence means that the kernels of a lane are cached."""
    parts = (
        lane.formulation.id,
        lane.solver.segment.integrator.name,
        *(["sum"] if lane.problem.load_sums else []),
    )
    parts += tuple(
        f"{len(block.names)}-rotors"
        for block in lane.formulation.blocks
        if block.variable is StateVariable.ROTOR_MOMENTA
    )
    name = "+".join(parts).replace("/", "-")
    constant = str(lane.solver.state.method) if hasattr(lane.solver.state.method, "_numba_type_") else ""
    code = hashlib.sha256(f"{cache.fingerprint(_kernel_modules(lane))} {constant}".encode()).hexdigest()
    return cache.resolve_path(f"{name}-{code[:16]}{READY_SUFFIX}")


def _kernel_modules(lane: LaneRun) -> set[str]:
    """Return the names of the modules that define the kernels of a lane: its formulation, its integrator, the
    stepping loop and the loads."""
    if lane.formulation.has_closed_form:
        return {type(lane.formulation).__module__}
    modules = {blocks.__name__, lane.solver.segment.integrator.block.__module__}
    modules |= binder.modules_of(lane.formulation.parameter_type) | binder.modules_of(
        type(lane.solver.state.method)
    )
    return modules | kernel_modules(
        load_type for load_sum in lane.problem.load_sums for load_type in load_sum.kinds
    )


def is_cacheable(lane: LaneRun) -> bool:
    """Return True if the kernels of a lane can be cached. A closed form has none, and formulations and loads
    created by a script cannot be sent to a child as text."""
    return (
        not lane.formulation.has_closed_form
        and cache.fingerprint({lane.formulation.parameter_type.__module__}) is not None
        and are_registered(lane.problem.loads)
    )


class ChildCompilation:
    """A `Preparation` that compiles in child processes.

    Cached lanes are ready at once. Others become ready when a child has compiled them; if no child can, this process
    compiles them. `cache_error` is the error that occurred when `kernels.cache.writable_cache` set up the cache folder,
    or None. `pool` is the pool of child processes, which may already be running.
    """

    def __init__(
        self, preset: Preset, cache_error: InputError | None = None, pool: CompilerPool | None = None
    ) -> None:
        self.cache_error = cache_error
        self._preset = preset
        self._pool = pool or CompilerPool()
        self._is_handed_over = False
        self._requested_lanes: set[str] = set()
        """Names of lanes that children are compiling."""
        self._marks: dict[LaneRun, Path | None] = {}
        """Marker files of lanes, None for lanes without cached kernels. The paths are computed once, since the worker
        asks every few milliseconds whether a lane is ready."""
        self._threads: dict[str, threading.Thread] = {}

    def begin(self) -> None:
        """Start compiling the first uncached lane of the preset. This is called before the window is created,
        so that a second processor compiles meanwhile.

        Raises
        ------
        InputError
            If the preset cannot be run.
        """
        for lane in _uncompiled_lanes(self._preset):
            self._pool.request(mark_path(lane), _job_line(self._preset, lane.name))
            break
        self._pool.poll()

    def is_ready(self, lane: LaneRun) -> bool:
        """Return True if `lane` can run. Otherwise request its kernels."""
        if lane not in self._marks:
            self._marks[lane] = mark_path(lane) if is_cacheable(lane) else None
        mark = self._marks[lane]
        if mark is None and not lane.formulation.has_closed_form:
            return self._is_ready_in_thread(lane)
        pool, is_handed_over = (
            self._pool,
            self._is_handed_over,
        )  # in this order, since `take_over` sets the flag first
        if mark is None or mark.exists() or mark in pool.failed:
            self._requested_lanes.discard(lane.name)
            if not is_handed_over and pool.poll() == 0 and mark is not None:
                _request_extremes_kernel(pool)
            if mark in pool.failed and not lane.prepared:
                lane.diagnostics.remarks += (_compiled_in_window_remark(pool.failed[mark]),)
            lane.prepare()
            return True
        if not is_handed_over:
            if lane.name not in self._requested_lanes:
                self._requested_lanes.add(lane.name)
                pool.request(mark, _job_line(self._preset, lane.name))
            pool.poll()
        return False

    def _is_ready_in_thread(self, lane: LaneRun) -> bool:
        """Return True if a lane with a formulation created in this session can run. Child processes cannot compile such
        formulations.

        The lane is compiled in a thread, but only while no other lane is pending, since no kernel can be loaded during
        the compilation.
        """
        if lane.prepared or not lane.alive:
            return True
        thread = self._threads.get(lane.name)
        if thread is None:
            self._threads[lane.name] = threading.Thread(
                target=lane.prepare, name=f"compiles {lane.name}", daemon=True
            )
        elif (
            thread.ident is None
            and not self._requested_lanes
            and not any(other.is_alive() for other in self._threads.values())
        ):
            thread.start()
        elif thread.ident is not None and not thread.is_alive():
            lane.prepare()  # raises the errors of the thread; otherwise the kernels are already loaded
        return lane.prepared or not lane.alive

    def take_over(self, previous: "ChildCompilation", lanes: Iterable[LaneRun]) -> None:
        """Take over the children of the run `previous` for `lanes`, so that an edit does not restart compilation.
        Call this before either run is closed."""
        previous._is_handed_over = True
        self._pool, previous._pool = previous._pool, CompilerPool()
        self._pool.cancel_others(mark_path(lane) for lane in lanes if is_cacheable(lane))

    def close(self) -> None:
        """End running children."""
        self._pool.shutdown()


def start_child(preset: Preset) -> Child:
    """Start a process that compiles the uncached kernels of every lane of `preset`. The process ends when
    they are compiled, or when this process ends."""
    child = start_compiler()
    for job in [
        *(_job_line(preset, lane.name) for lane in _uncompiled_lanes(preset)),
        _EXTREMES_JOB,
        _DONE_JOB,
    ]:
        send_job(child, job)
    return child


def compile_preset(preset: Preset) -> None:
    """Compile the kernels of every lane of `preset` in this process and create their marker files."""
    for lane in _uncompiled_lanes(preset):
        _compile(lane)
    extremes_cache.compile_kernels()


def missing_mark_paths(preset: Preset) -> set[Path]:
    """Return the paths of the marker files of all uncached kernels of `preset`. Raise an `InputError` if the preset
    cannot be run."""
    return {mark_path(lane) for lane in _uncompiled_lanes(preset)}


def compile_presets(presets: Iterable[Preset], size: int) -> Generator[tuple[int, int], None, None]:
    """Compile all missing kernels of presets in `size` child processes, with the priority of this process. Yield the
    number of compiled kernels and the total.

    Raises
    ------
    InputError
        If kernels cannot be stored, or if a child ended while compiling one.
    """
    cache.prepare_folder()
    pool, marks = CompilerPool(size, in_background=False), set()
    try:
        for preset in presets:
            for lane in _uncompiled_lanes(preset):
                pool.request(mark_path(lane), _job_line(preset, lane.name))
                marks.add(mark_path(lane))
            pool.poll()  # reading a preset takes time too
        marks |= _request_extremes_kernel(pool)
        while remaining := pool.poll():
            yield len(marks) - remaining, len(marks)
        cache.prepare_folder()
        if pool.failed:
            raise _compiler_failure(pool.failed)
        yield len(marks), len(marks)
    finally:
        pool.shutdown()


def _compiled_in_window_remark(status: int) -> str:
    """Return the message that a child process failed with exit code `status`, so that the window's process compiles the
    lane. It includes advice on what to try."""
    if status < 0:
        return phrase(
            "the process that compiled this lane was ended by {signal}, probably for lack of memory. The window compiled the "
            "lane itself and did not respond meanwhile. Close other programs, or run `quatviz compile` before the next start",
            signal=signal.Signals(-status).name,
        )
    return phrase(
        "the process that compiled this lane ended with status {status}. The window compiled the lane itself and did not "
        "respond meanwhile. Check the kernel cache with `quatviz doctor`; the terminal may show more details",
        status=status,
    )


def _compiler_failure(marks: Iterable[Path]) -> InputError:
    return InputError(
        "the processes that compile",
        expected="all to complete",
        found=phrase(
            "a process that ended while compiling {names}",
            names=", ".join(sorted(mark.stem for mark in marks)),
        ),
        remedy="see above why; compile again",
        topic="errors#kernel-cache",
    )


def _uncompiled_lanes(preset: Preset) -> Iterator[LaneRun]:
    from quatviz.simulation.simulation import Simulation

    for lane in Simulation(preset):
        if is_cacheable(lane) and not mark_path(lane).exists():
            yield lane


def _compile(lane: LaneRun) -> None:
    """Compile a lane and create its marker file. Raise an `InputError` if the kernels cannot be stored."""
    lane.prepare()
    cache.prepare_folder()
    mark_path(lane).touch()


def _request_extremes_kernel(pool: CompilerPool) -> set[Path]:
    """Request the kernel that reduces curves to their extremes, at a low priority. Return its marker files:
    none if the kernel is already cached."""
    path = extremes_cache.kernel_file()
    if path is None or path.exists():
        return set()
    pool.request(path, _EXTREMES_JOB + b"\n" + _DONE_JOB, last=True)
    pool.poll()  # a window whose lanes are all ready no longer polls its pool
    return {path}


_EXTREMES_JOB = b'"extremes"'
"""Job that tells a child process to compile two groups of kernels: the one that reduces curves to their extremes, and
those for recordings."""
_DONE_JOB = b"null"
"""Job that tells a child process to end."""


def _job_line(preset: Preset, lane: str) -> bytes:
    """Return the job for one lane of a preset as a line of JSON text.

    Lanes with functions of this session are removed, because children do not know these functions; typed equations
    are part of the text. The tolerances of the run are removed: kernels do not depend on them, and a preset in
    which no lane uses them is invalid.
    """
    from quatviz.simulation.simulation import lane_names

    lanes = tuple(
        replace(lane_spec, name=name)
        for name, lane_spec in zip(lane_names(preset.lanes), preset.lanes, strict=True)
        if lane_spec.equations is not None
        or lane_spec.formulation.partition("/")[0] not in FORMULATIONS.factories
    )
    run = replace(preset.run, rtol=None, atol=None)
    return json.dumps({"preset": format_preset(replace(preset, lanes=lanes, run=run)), "lane": lane}).encode()


def _run_jobs(pipe: int) -> None:
    """Process the jobs from the pipe until `_DONE_JOB`. This is the main loop of a child process."""
    gc.set_threshold(50_000)  # to look for garbage after each 700 objects is a tenth of the time to compile
    jobs: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_receive_jobs, args=(pipe, jobs), daemon=True).start()
    cache.import_compiler()  # before anybody has said what to compile
    gc.freeze()  # what was imported is no garbage, and need not be looked through again
    while (job := jobs.get()) != _DONE_JOB:
        if job == _EXTREMES_JOB:
            from quatviz.recordings import loading

            extremes_cache.compile_kernels()
            loading.compile_kernels()
            cache.prepare_folder()
            continue
        request = json.loads(job)
        for lane in _uncompiled_lanes(parse_preset(request["preset"], "the window's preset")):
            if lane.name == request["lane"]:
                _compile(lane)


def _receive_jobs(pipe: int, jobs: queue.Queue[bytes]) -> None:
    """Put jobs from the pipe into the queue. When the pipe closes, end this process, even during a compilation.

    The pipe is read directly: with a buffered reader, Python would abort at exit because it could not close the
    buffer.
    """
    buffer = b""
    while received := os.read(pipe, 1 << 16):
        *lines, buffer = (buffer + received).split(b"\n")
        for line in lines:
            jobs.put(line)
    os._exit(1)


if __name__ == "__main__":
    if BACKGROUND_OPTION in sys.argv and hasattr(os, "nice"):
        os.nice(background_niceness())
    try:
        _run_jobs(sys.stdin.fileno())
    except InputError as refusal:
        sys.exit(f"quatviz: {refusal}")
