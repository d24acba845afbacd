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


def test_a_changed_formulation_is_never_served_stale(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "quatviz", copy / "quatviz", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "presets", copy / "presets")
    cache = str(tmp_path / "cache")
    first, _ = run_python(RUN, tmp_path, copy, QUATVIZ_CACHE_DIR=cache).split()
    again, misses = run_python(RUN, tmp_path, copy, QUATVIZ_CACHE_DIR=cache).split()
    assert (again, misses) == (first, "0"), "the second process finds the first one's kernels"
    source = copy / "quatviz" / "formulations" / "newton_euler.py"
    text = source.read_text()
    turned = text.replace(
        "moment = cross(times", "moment = (0.5, 0.0, 0.0) if False else cross(times"
    ).replace("half_LT_times(p, omega)\n\n\nclass", "half_LT_times(p, omega)\n\n\nclass")
    turned = turned.replace(
        "par.inverse_inertia, moment)", "par.inverse_inertia, add3(moment, (7.0, 0.0, 0.0)))"
    )
    assert turned != text
    source.write_text(turned)
    changed, misses = run_python(RUN, tmp_path, copy, QUATVIZ_CACHE_DIR=cache).split()
    assert changed != first
    assert misses != "0"


def test_a_changed_helper_is_never_served_stale(tmp_path: Path) -> None:
    """The helper stands in another file than the kernel that inlines it, where numba's own key does not look."""
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "quatviz", copy / "quatviz", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "presets", copy / "presets")
    cache = str(tmp_path / "cache")
    first, _ = run_python(RUN, tmp_path, copy, QUATVIZ_CACHE_DIR=cache).split()
    integrator = copy / "quatviz" / "integrators" / "rk4.py"
    text = integrator.read_text()
    assert "dt / 6.0" in text
    integrator.write_text(text.replace("dt / 6.0", "dt / 6.1"))
    changed, _ = run_python(RUN, tmp_path, copy, QUATVIZ_CACHE_DIR=cache).split()
    assert changed != first


CHILD = """
import time
import quatviz as qv
from quatviz.core import kernel
from quatviz.simulation.compilation import ChildCompilation, mark_of
from quatviz.simulation.runner import Runner
from quatviz.simulation.simulation import Simulation
preset = qv.load_preset("torque_free")
simulation = Simulation(preset)
runner = Runner(simulation, ChildCompilation(preset))
started = any(mark_of(lane).exists() for lane in simulation)
while any(simulation.missing(lane) for lane in simulation):
    runner.tick(0.0)
    time.sleep(0.01)
runner.close()
print(started, sum(kernel.fixed_step_block.stats.cache_misses.values()), simulation.lanes[1].samples)
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
