"""The cache of compiled kernels: filled by a child, found by the next start, never stale."""

from __future__ import annotations

import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from helpers import ROOT, run_python

from quatviz.core import kernel
from quatviz.kernel_index import KernelIndex

RUN = """
import quatviz as qv
from quatviz.core import kernel
run = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=1.0)
print(repr(float(run["newton_euler"].omega[-1, 0])), sum(kernel.fixed_step_block.stats.cache_misses.values()))
"""


def test_a_changed_source_is_never_served_stale(tmp_path: Path) -> None:
    """A formulation's, then that of a helper in another file than the kernel that inlines it, where numba's own key does
    not look."""
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "quatviz", copy / "quatviz", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "presets", copy / "presets")
    cache = str(tmp_path / "cache")

    def result() -> list[str]:
        return run_python(RUN, tmp_path, copy, QUATVIZ_CACHE_DIR=cache).split()

    def edit(name: str, old: str, new: str) -> None:
        source = copy / "quatviz" / name
        text = source.read_text()
        assert old in text
        source.write_text(text.replace(old, new))

    first, _ = result()
    assert result() == [first, "0"], "the second process finds the first one's kernels"
    edit(
        "formulations/newton_euler.py",
        "par.inverse_inertia, moment)",
        "par.inverse_inertia, add3(moment, (7.0, 0.0, 0.0)))",
    )
    turned, misses = result()
    assert turned != first
    assert misses != "0"
    edit("integrators/rk4.py", "dt / 6.0", "dt / 6.1")
    slower, _ = result()
    assert slower not in (first, turned)


CHILD = """
import time
from dataclasses import replace
import quatviz as qv
from quatviz.core import kernel
from quatviz.simulation.compilation import ChildCompilation, mark_of
from quatviz.simulation.runner import Runner
from quatviz.simulation.simulation import Simulation
preset = qv.load_preset("torque_free")
preset = replace(preset, lanes=preset.lanes[1:2])
simulation = Simulation(preset)
runner = Runner(simulation, ChildCompilation(preset))
started = any(mark_of(lane).exists() for lane in simulation)
while any(simulation.missing(lane) for lane in simulation):
    runner.tick(0.0)
    time.sleep(0.01)
runner.close()
print(started, sum(kernel.fixed_step_block.stats.cache_misses.values()), simulation.lanes[0].samples)
"""


def test_a_child_fills_the_cache_that_this_process_loads(tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    assert run_python(CHILD, tmp_path, QUATVIZ_CACHE_DIR=cache).split() == ["False", "0", "4001"]
    started = time.time()
    assert run_python(CHILD, tmp_path, QUATVIZ_CACHE_DIR=cache).split() == ["True", "0", "4001"]
    assert started > 0


def test_kernels_saved_at_once_are_all_found_and_none_in_place_of_another(tmp_path: Path) -> None:
    """The lock belongs to an open file, so that two threads keep each other out as two processes do."""

    def fill(writer: int) -> None:
        index = KernelIndex(str(tmp_path), "kernel", "stamp")
        for number in range(40):
            index.save((writer, number), f"kernel {number} of {writer}")

    with ThreadPoolExecutor() as threads:
        list(threads.map(fill, range(3)))
    found = KernelIndex(str(tmp_path), "kernel", "stamp")
    for writer in range(3):
        for number in range(40):
            assert found.load((writer, number)) == f"kernel {number} of {writer}"


def test_kernels_use_that_index() -> None:
    assert isinstance(kernel.fixed_step_block._cache._cache_file, KernelIndex)
