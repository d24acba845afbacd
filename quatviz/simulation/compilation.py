"""Compiling kernels in child processes, which fill the cache that this process then loads from.

Compiled in a thread of the window, a kernel stalls it for most of a second; from the cache it takes milliseconds.
A mark in the cache folder, left by whoever compiled a pair, says that it is there; its name stands for every source
of the pair, so that a mark never speaks of older kernels.

This is also what such a child runs; who starts them, and tells them what to compile, is `physics.kernels.compiler_pool`.
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
from quatviz.physics.kernels.compiler_pool import READY_SUFFIX, Child, CompilerPool, send_job, start_compiler
from quatviz.physics.loads.base import kernel_modules
from quatviz.physics.mechanics.state import StateVariable
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.problem import are_registered

log = logging.getLogger(__name__)


def mark_path(lane: LaneRun) -> Path:
    """The file that says that the kernels of this lane are in the cache."""
    parts = (lane.formulation.id, lane.integrator.name, *(["sum"] if lane.load_sums else []))
    parts += tuple(
        f"{len(block.names)}-rotors"
        for block in lane.formulation.blocks
        if block.variable is StateVariable.ROTOR_MOMENTA
    )
    name = "+".join(parts).replace("/", "-")
    constant = str(lane.method) if hasattr(lane.method, "_numba_type_") else ""
    code = hashlib.sha256(f"{cache.fingerprint(_kernel_modules(lane))} {constant}".encode()).hexdigest()
    return cache.resolve_path(f"{name}-{code[:16]}{READY_SUFFIX}")


def _kernel_modules(lane: LaneRun) -> set[str]:
    """Names of the modules that kernels of a lane come from: its formulation, its step, the loop over steps and loads."""
    if lane.formulation.has_closed_form:
        return {type(lane.formulation).__module__}
    modules = {blocks.__name__, lane.integrator.block.__module__}
    modules |= binder.modules_of(lane.formulation.parameter_type) | binder.modules_of(type(lane.method))
    return modules | kernel_modules(load_type for load_sum in lane.load_sums for load_type in load_sum.kinds)


def is_cacheable(lane: LaneRun) -> bool:
    """Whether the kernels of this lane can be in the cache: not of a closed form, which has none, nor of a form or a load that a
    script has made, which is in no module, and of which no text can tell a child."""
    return (
        not lane.formulation.has_closed_form
        and cache.fingerprint({lane.formulation.parameter_type.__module__}) is not None
        and are_registered(lane.loads)
    )


class ChildCompilation:
    """A `Preparation`: lanes found in the cache are ready at once, the others each as soon as a child has compiled it, or here
    where it cannot. For a place for kernels see `kernels.cache.writable_cache`, whose `cache_error` it remembers; `pool` may
    have been called before."""

    def __init__(
        self, preset: Preset, cache_error: InputError | None = None, pool: CompilerPool | None = None
    ) -> None:
        self.cache_error = cache_error
        self._preset = preset
        self._pool = pool or CompilerPool()
        self._is_handed_over = False
        self._requested_lanes: set[str] = set()
        """Names of lanes that children compile."""
        self._threads: dict[str, threading.Thread] = {}

    def begin(self) -> None:
        """Have the first lane compiled that a run of the preset lacks, before it is asked for: while the window is made, the
        other processor is needed for that. An `InputError` where the preset cannot be run."""
        for lane in _uncompiled_lanes(self._preset):
            self._pool.request(mark_path(lane), _job_line(self._preset, lane.name))
            break
        self._pool.poll()

    def is_ready(self, lane: LaneRun) -> bool:
        """Whether `lane` can run; has it compiled when it is asked for and is not in the cache."""
        if not lane.formulation.has_closed_form and not is_cacheable(lane):
            return self._is_ready_in_thread(lane)
        mark = mark_path(lane) if is_cacheable(lane) else None
        if mark is None or mark.exists() or mark in self._pool.failed:
            self._requested_lanes.discard(lane.name)
            if self._pool.poll() == 0 and mark is not None:
                _request_extremes_kernel(self._pool)
            if mark in self._pool.failed and not lane.prepared:
                lane.remarks += (_compiled_in_window_remark(self._pool.failed[mark]),)
            lane.prepare()
            return True
        if not self._is_handed_over:
            self._requested_lanes.add(lane.name)
            self._pool.request(mark, _job_line(self._preset, lane.name))
            self._pool.poll()
        return False

    def _is_ready_in_thread(self, lane: LaneRun) -> bool:
        """The same of a lane with a form of this session, which no child knows: a thread compiles it, when it is asked for again
        and no other lane is waited for, for meanwhile no kernel can be loaded."""
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
            lane.prepare()  # what went wrong there is said here; else it is at hand
        return lane.prepared or not lane.alive

    def take_over(self, previous: "ChildCompilation", lanes: Iterable[LaneRun]) -> None:
        """Let the children of the run `previous` go on with what is wanted for `lanes` too: an edit must not make a person wait
        from the beginning again. To be said before either run is closed."""
        previous._is_handed_over = True
        self._pool, previous._pool = previous._pool, CompilerPool()
        self._pool.cancel_others(mark_path(lane) for lane in lanes if is_cacheable(lane))

    def close(self) -> None:
        """End what still runs."""
        self._pool.shutdown()


def start_child(preset: Preset) -> Child:
    """A process that compiles the kernels of every lane of `preset` that are not in the cache, and ends then, or with this
    one."""
    child = start_compiler()
    for job in [
        *(_job_line(preset, lane.name) for lane in _uncompiled_lanes(preset)),
        _EXTREMES_JOB,
        _DONE_JOB,
    ]:
        send_job(child, job)
    return child


def compile_preset(preset: Preset) -> None:
    """Compile the kernels of every lane of `preset` in this process, and mark each as ready."""
    for lane in _uncompiled_lanes(preset):
        _compile(lane)
    extremes_cache.compile_kernels()


def missing_mark_paths(preset: Preset) -> set[Path]:
    """The marks of the kernels that a run of `preset` lacks; an `InputError` where it cannot be run."""
    return {mark_path(lane) for lane in _uncompiled_lanes(preset)}


def compile_presets(presets: Iterable[Preset], size: int) -> Generator[tuple[int, int], None, None]:
    """Compile all that these lack, by so many children; between two looks at them, how many are compiled, of how many.
    `InputError` where they cannot be kept, or where a child has ended over one."""
    cache.prepare_folder()
    pool, marks = CompilerPool(size), set()
    try:
        for preset in presets:
            for lane in _uncompiled_lanes(preset):
                pool.request(mark_path(lane), _job_line(preset, lane.name))
                marks.add(mark_path(lane))
            pool.poll()  # to read a preset takes time too
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
    """That the process has ended with a status which was to compile a lane, and what to try."""
    if status < 0:
        return phrase(
            "the process that compiled its equations was ended by {signal}, as a system does where memory is short, so that the "
            "window stood still to compile them; close other programs, or run `quatviz compile` before the next start",
            signal=signal.Signals(-status).name,
        )
    return phrase(
        "the process that compiled its equations ended with status {status}, so that the window stood still to compile them; "
        "`quatviz doctor` looks at the kernel cache, and the terminal may say more",
        status=status,
    )


def _compiler_failure(marks: Iterable[Path]) -> InputError:
    return InputError(
        "the processes that compile",
        expected="each of them to come to its end",
        found=phrase("some that ended over {names}", names=", ".join(sorted(mark.stem for mark in marks))),
        remedy="see above why; compile again",
        topic="errors#kernel-cache",
    )


def _uncompiled_lanes(preset: Preset) -> Iterator[LaneRun]:
    from quatviz.simulation.simulation import Simulation

    for lane in Simulation(preset):
        if is_cacheable(lane) and not mark_path(lane).exists():
            yield lane


def _compile(lane: LaneRun) -> None:
    """`InputError` where what was compiled cannot be kept: a mark would promise what is not there."""
    lane.prepare()
    cache.prepare_folder()
    mark_path(lane).touch()


def _request_extremes_kernel(pool: CompilerPool) -> set[Path]:
    """Have the kernel compiled that curves are reduced by, if it is not kept: behind the lanes, for curves do without it. The
    file that it will leave."""
    path = extremes_cache.kernel_file()
    if path is None or path.exists():
        return set()
    pool.request(
        path, _EXTREMES_JOB + b"\n" + _DONE_JOB, last=True
    )  # nobody asks the crew of a window any more
    pool.poll()
    return {path}


_EXTREMES_JOB = b'"extremes"'
"""What is said to a child for the kernel that curves are reduced by, with those that recordings are read by."""
_DONE_JOB = b"null"
"""What is said to a child for which there will be nothing more."""


def _job_line(preset: Preset, lane: str) -> bytes:
    """What is said to a child: a line. Lanes with a form of this session are left out of the preset: no child knows them. So are
    the run's tolerances: kernels are the same with any, and one of those lanes may be all that takes them."""
    from quatviz.simulation.simulation import lane_names

    lanes = tuple(
        replace(lane_spec, name=name)
        for name, lane_spec in zip(lane_names(preset.lanes), preset.lanes, strict=True)
        if lane_spec.formulation.partition("/")[0] not in FORMULATIONS.factories
    )
    run = replace(preset.run, rtol=None, atol=None)
    return json.dumps({"preset": format_preset(replace(preset, lanes=lanes, run=run)), "lane": lane}).encode()


def _run_jobs(pipe: int) -> None:
    """The child: jobs come through the pipe, until it is told that there are no more."""
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
    """Take in jobs, and end this process when the pipe closes; the compiler is left where it is, and so is what it has not
    written yet.

    It waits for the pipe itself, not for its buffer, which Python could not close then when all is compiled, and would abort.
    """
    buffer = b""
    while received := os.read(pipe, 1 << 16):
        *lines, buffer = (buffer + received).split(b"\n")
        for line in lines:
            jobs.put(line)
    os._exit(1)


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(
            19
        )  # the window that waits for these kernels plays meanwhile, and its worker gives way as far
    try:
        _run_jobs(sys.stdin.fileno())
    except InputError as refusal:
        sys.exit(f"quatviz: {refusal}")
