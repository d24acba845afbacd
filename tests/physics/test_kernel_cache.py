"""The cache of compiled kernels: filled by a child process, used by the next start, never stale, private to the user."""

import errno
import importlib
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import compiling
import numba
import numpy as np
import pytest
from helpers import ROOT, run_python
from numba.core.errors import TypingError
from plugin_package import install

import quatviz as qv
from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.commands.support import diagnostics
from quatviz.physics.kernels import algebra, binder, blocks, cache
from quatviz.simulation.compilation import compile_preset
from quatviz.simulation.lane import LaneRun

RUN = """
import quatviz as qv
from quatviz.physics.kernels import binder, blocks
run = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=1.0)
print(repr(float(run["newton_euler"].omega[-1, 0])), sum(blocks.fixed_step_block.dispatcher.stats.cache_misses.values()))
"""


def checkout(folder: Path) -> Path:
    """A runnable copy of the package with its presets and Python's compiled files."""
    shutil.copytree(ROOT / "quatviz", folder / "quatviz")
    shutil.copytree(ROOT / "presets", folder / "presets")
    return folder


def edit(source: Path, old: str, new: str) -> None:
    text = source.read_text()
    assert old in text
    source.write_text(text.replace(old, new))


def test_changed_kernel_recompiles_only_itself(tmp_path: Path) -> None:
    """Change a formulation, then an integrator. Numba's own key ignores their files, because the loop inlines them."""
    copy, another = checkout(tmp_path / "copy"), checkout(tmp_path / "another")
    store = str(tmp_path / "cache")

    def result(folder: Path = copy) -> list[str]:
        return run_python(RUN, tmp_path, folder, QUATVIZ_CACHE_DIR=store).split()

    first, misses = result()
    assert misses == "1"
    edit(copy / "quatviz/base/latex.py", '"""Plain-text', '"""Changed. Plain-text')
    edit(
        copy / "quatviz/physics/formulations/hamilton/kernel.py",
        "h_rate = cross(h, omega)",
        "h_rate = cross(omega, h)",
    )
    rotations = copy / "quatviz/physics/mechanics/rotations.py"
    rotations.write_text("# a comment\n\n" + rotations.read_text())
    assert result() == [first, "0"], (
        "found by the next process: neither another kernel nor a comment is in this one"
    )
    edit(
        copy / "quatviz/physics/formulations/newton_euler/kernel.py",
        "par.inverse_inertia, moment)",
        "par.inverse_inertia, add3(moment, (7.0, 0.0, 0.0)))",
    )
    turned, misses = result()
    assert turned != first
    assert misses == "1"
    edit(copy / "quatviz/physics/integrators/rk4.py", '[0, "1/2"]', '[0, "1/3"]')
    slower, _ = result()
    assert slower not in (first, turned)
    assert result(another) == [first, "0"], "the first are still there, for another checkout too"


BESIDE = """
import quatviz as qv
from quatviz.physics.kernels import blocks
from quatviz.simulation.compilation import mark_path
from quatviz.simulation.simulation import Simulation
preset = qv.load_preset("attitude_control").with_run(lanes=["newton_euler"], duration=0.1)
simulation = Simulation(preset)
simulation.complete()
print(mark_path(simulation.lanes[0]).name, sum(blocks.fixed_step_block.dispatcher.stats.cache_misses.values()))
"""


def test_installed_packages_do_not_recompile_kernels(tmp_path: Path) -> None:
    """Run one member of every family with kernels, and a lane that sums over loads, from a private cache folder."""
    before = run_python(BESIDE, tmp_path)
    store = tmp_path / "cache"
    (store / "kernels").mkdir(parents=True)
    for path in cache.folder().glob("*.*"):
        if not path.name.startswith("."):  # another worker is about to write it
            (store / "kernels" / path.name).symlink_to(path)
    kept = {path.name for path in (store / "kernels").iterdir()}
    install(
        tmp_path / "site", {"formulations": "gibbs_vector", "integrators": "two_stages", "loads": "magnet"}
    )
    after = run_python(BESIDE, tmp_path, tmp_path / "site", QUATVIZ_CACHE_DIR=str(store))
    assert after.split()[0] == before.split()[0]
    assert after.split()[1] == "0"
    assert {path.name for path in (store / "kernels").iterdir()} == kept
    assert any(name.startswith("quatviz.physics.loads._kernels.load_sum.sum_by_torque") for name in kept)


OUTSIDE = """
import quatviz as qv
from quatviz.physics.kernels import binder, blocks
run = qv.simulate(qv.load_preset("torque_free"), lanes=["gibbs_vector"], duration=1.0)
print(repr(float(run["gibbs_vector"].p[-1, 0])), sum(blocks.fixed_step_block.dispatcher.stats.cache_misses.values()))
"""


def test_cache_key_includes_plugin_code_and_local_imports(tmp_path: Path) -> None:
    install(tmp_path, {"formulations": "gibbs_vector"})
    (tmp_path / "helper_of_it.py").write_text("FACTOR = 0.5\n")
    plugin = tmp_path / "quatviz_gibbs_vector.py"
    edit(plugin, "import numpy as np\n", "import numpy as np\nfrom helper_of_it import FACTOR\n")
    edit(plugin, "0.5 * dot3(g, omega), g)", "FACTOR * dot3(g, omega), g)")

    def result() -> list[str]:
        return run_python(OUTSIDE, tmp_path, tmp_path, QUATVIZ_CACHE_DIR=str(tmp_path / "cache")).split()

    first, misses = result()
    assert misses == "1"
    assert result() == [first, "0"]
    (tmp_path / "helper_of_it.py").write_text("FACTOR = 0.4\n")
    changed, misses = result()
    assert changed != first
    assert misses == "1"
    edit(plugin, "FACTOR * dot3(g, omega), g)", "1.5 * FACTOR * dot3(g, omega), g)")
    again, misses = result()
    assert again not in (first, changed)
    assert misses == "1"


def test_cache_key_includes_closures() -> None:
    closure = cache.closure(
        {"quatviz.physics.kernels.blocks", "quatviz.physics.formulations.newton_euler.kernel"}
    )
    for name in (
        "kernels.binder",
        "kernels.algebra",
        "formulations._kernels.attitude",
        "loads._kernels.packed",
    ):
        assert f"quatviz.physics.{name}" in closure, "what it is made from"
    outside = (
        "physics.loads.spring",
        "base.latex",
        "physics.formulations.hamilton",
        "physics.kernels.cache",
        "physics.integrators.rk4",
        "files",
        "ui",
        "simulation",
        "api",
    )
    for name in outside:
        assert not any(module.startswith(f"quatviz.{name}") for module in closure), name
    assert "quatviz" not in closure, "its names are imported when first used, so that it would be everything"
    assert closure["numba"] == __import__("numba").__version__
    assert cache.fingerprint({"no_such_module"}) is None
    assert cache.fingerprint({"__main__"}) is None, (
        "what a person runs is no module, of whatever name it was started by"
    )


SOURCE = """\
\"\"\"A module.\"\"\"

FACTOR = 2.0


def twice(x):
    \"\"\"Return twice x.\"\"\"
    return FACTOR * x


class Form:
    \"\"\"A class.\"\"\"

    title = "A form"
    help = "what it is"
    label = "one"
"""


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        ("A module.", "Another module.", True),
        ("Return twice x.", "Return the double of x.", True),
        ("A class.", "Another class.", True),
        ("A form", "Another form", True),
        ("what it is", "what it is for", True),
        ("FACTOR * x", "FACTOR + x", False),
        ("2.0", "3.0", False),
        ("one", "another", False),
    ],
)
def test_cache_key_ignores_comments_and_docstrings(
    old: str, new: str, is_same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    name = f"edited_{abs(hash((old, new)))}"
    codes = []
    for suffix, text in (("a", SOURCE), ("b", SOURCE.replace(old, new))):
        (tmp_path / f"{name}_{suffix}.py").write_text(text)
        importlib.invalidate_caches()
        codes.append(cache.closure({f"{name}_{suffix}"})[f"{name}_{suffix}"])
    assert None not in codes
    assert (codes[0] == codes[1]) is is_same


CHILD = """
import time
from dataclasses import replace
import quatviz as qv
from quatviz.physics.kernels import binder, blocks
from quatviz.simulation.compilation import ChildCompilation, mark_path
from quatviz.simulation.runner import Runner
from quatviz.simulation.simulation import Simulation
preset = qv.load_preset("torque_free")
preset = replace(preset, lanes=preset.lanes[1:2])
simulation = Simulation(preset)
runner = Runner(simulation, ChildCompilation(preset))
started = any(mark_path(lane).exists() for lane in simulation)
while any(simulation.missing(lane) for lane in simulation):
    runner.tick(0.0)
    time.sleep(0.01)
runner.close()
print(started, sum(blocks.fixed_step_block.dispatcher.stats.cache_misses.values()), simulation.lanes[0].samples)
"""


def test_child_process_fills_the_shared_cache(tmp_path: Path) -> None:
    store = str(tmp_path / "cache")
    assert run_python(CHILD, tmp_path, QUATVIZ_CACHE_DIR=store).split() == ["False", "0", "4001"]
    assert run_python(CHILD, tmp_path, QUATVIZ_CACHE_DIR=store).split() == ["True", "0", "4001"]


IMPORTED = """
import os
from numba import config, njit
from numba.core import caching
before = config.CACHE_DIR, caching.IndexDataCacheFile, dict(os.environ)
import own_kernel
import quatviz as qv
qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=0.01)
assert (config.CACHE_DIR, caching.IndexDataCacheFile, dict(os.environ)) == before
own_kernel.twice(1.0)
print(own_kernel.twice.stats.cache_path)
"""


def test_user_kernels_keep_their_own_cache(tmp_path: Path) -> None:
    (tmp_path / "own_kernel.py").write_text(
        "import quatviz.physics.kernels.blocks\nfrom numba import njit\n\n@njit(cache=True)\ndef twice(x):\n    return 2.0 * x\n"
    )
    where = run_python(IMPORTED, tmp_path, tmp_path).strip()
    assert Path(where) == tmp_path / "__pycache__"
    assert any(path.name.startswith("own_kernel.twice") for path in Path(where).iterdir())


def test_importing_does_not_touch_the_cache(tmp_path: Path) -> None:
    store = tmp_path / "cache"
    code = "import quatviz.api.calls, quatviz.verification.lanes"
    run_python(code, tmp_path, QUATVIZ_CACHE_DIR=str(store))
    assert not store.exists()
    old = store / "kernels" / "old.kernel"
    old.parent.mkdir(parents=True)
    old.touch()
    os.utime(old, (0, 0))
    run_python(code, tmp_path, QUATVIZ_CACHE_DIR=str(store))
    assert old.exists()


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUATVIZ_CACHE_DIR", str(tmp_path))
    return tmp_path / "kernels"


def twice(x):
    return 2.0 * x


def compiled_twice() -> int:
    """Compile or load the kernel, call it, and return the number of compilations."""
    fresh = binder.compiled(twice)
    assert fresh(1.5) == 3.0
    return sum(fresh.dispatcher.stats.cache_misses.values())


def test_damaged_cache_file_is_recompiled(store: Path) -> None:
    assert compiled_twice() == 1
    assert compiled_twice() == 0
    (path,) = store.iterdir()
    whole = path.read_bytes()
    random = np.random.default_rng(1)
    flipped = bytearray(whole)
    flipped[random.integers(len(whole))] ^= 1 << random.integers(8)
    for damaged in (b"", whole[:10], whole[:-1], bytes(len(whole)), bytes(flipped)):
        path.write_bytes(damaged)
        assert compiled_twice() == 1
        assert path.read_bytes() != damaged
        assert compiled_twice() == 0
    path.unlink()
    os.mkfifo(path)  # the test would wait for it
    assert compiled_twice() == 1
    assert compiled_twice() == 0


def test_bundled_kernels_run_without_a_cache_and_are_recompiled_if_damaged(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compiled_twice() == 1
    came = store.rename(tmp_path / "came")
    monkeypatch.setattr(resources, "shipped_kernel_folder", lambda: came)
    store.write_text("no folder can be made here")
    assert compiled_twice() == 0
    store.unlink()
    assert compiled_twice() == 0
    assert not store.exists(), "nothing needs to be copied"
    (path,) = came.iterdir()
    assert cache.cached_kernels() == (1, [])
    assert (
        diagnostics.check_kernel_cache().value == f"{store}, 1 kernels with those that came with the program"
    )
    path.write_bytes(path.read_bytes()[:-1])
    assert cache.cached_kernels() == (1, [path])
    assert f"{came}: 1 of 1" in diagnostics.check_kernel_cache().value
    assert compiled_twice() == 1
    assert compiled_twice() == 0
    assert cache.cached_kernels() == (1, []), "a whole one stands before it"


def test_copy_of_a_large_process_compiles_kernels(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "MEMORY_LIMIT", 0)
    fresh = binder.compiled(algebra.dot3)
    assert fresh((1.0, 2.0, 3.0), (4.0, 5.0, 6.0)) == 32.0
    stats = fresh.dispatcher.stats
    assert (stats.cache_hits.total(), stats.cache_misses.total()) == (1, 0)
    with pytest.raises(TypingError):
        fresh("of no", "numbers")
    monkeypatch.setattr(compiling, "MEMORY_LIMIT", 1 << 50)
    assert fresh((1, 2, 3), (4, 5, 6)) == 32
    assert stats.cache_misses.total() == 2


LOADED = """
import sys
import numpy as np
import quatviz as qv
from own_kernel import product
from quatviz.physics.kernels import blocks
qv.simulate(qv.load_preset("heavy_top"), lanes=["hamilton"], duration=0.01)
light = "numba.np.linalg" not in sys.modules
print(light, product(np.eye(2), np.ones(2))[0])
print(sum(each.dispatcher.stats.cache_misses.total() for each in (blocks.fixed_step_block, product)))
"""


def test_loading_a_kernel_does_not_import_the_compiler(tmp_path: Path) -> None:
    """Except for kernels that call NumPy's linear algebra, which no lane contains."""
    (tmp_path / "own_kernel.py").write_text(
        "import numpy as np\nfrom quatviz.physics.kernels.binder import compiled\n\n"
        "@compiled\ndef product(a, b):\n    return a @ b\n"
    )

    def log_lines() -> list[str]:
        return run_python(LOADED, tmp_path, tmp_path, QUATVIZ_CACHE_DIR=str(tmp_path / "cache")).split()

    assert log_lines() == ["False", "1.0", "2"]
    assert log_lines() == ["True", "1.0", "0"]


def test_llvm_code_of_a_loaded_kernel_is_parsed_only_for_a_caller(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parsing it at once took four fifths of the time and of the memory of loading."""
    assert compiled_twice() == 1
    parsed: list[bytes] = []
    parse = cache.llvm.parse_bitcode

    def record(bitcode: bytes) -> Any:
        parsed.append(bitcode)
        return parse(bitcode)

    monkeypatch.setattr(cache.llvm, "parse_bitcode", record)
    loaded = binder.compiled(twice)
    assert loaded(1.5) == 3.0
    assert (loaded.dispatcher.stats.cache_misses.total(), parsed) == (0, [])
    double = loaded.dispatcher
    assert numba.njit(lambda x: double(double(x)))(1.5) == 6.0
    assert len(parsed) == 1


def test_kernels_unused_for_a_month_are_deleted(store: Path) -> None:
    store.mkdir()
    for name in ("old.kernel", "new.kernel"):
        (store / name).touch()
    (store / "of_an_older_version").mkdir()
    for name in ("old.kernel", "of_an_older_version"):
        os.utime(store / name, (0, 0))
    compiled_twice()
    (kept,) = (path for path in store.iterdir() if path.name != "new.kernel")
    assert "twice" in kept.name
    month_ago = kept.stat().st_mtime - 40 * 86400
    os.utime(kept, (month_ago, month_ago))
    assert compiled_twice() == 0, "and using one keeps it"
    assert kept.stat().st_mtime > month_ago + 86400


def test_concurrent_writes_leave_complete_kernels(store: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        assert all(count in (0, 1) for count in threads.map(lambda _: compiled_twice(), range(8)))
    assert [path.suffix for path in store.iterdir()] == [".kernel"], "and nothing unfinished is left"
    assert compiled_twice() == 0


def test_unwritable_cache_is_reported_once(store: Path, caplog: pytest.LogCaptureFixture) -> None:
    store.write_text("not a folder")
    assert compiled_twice() == 1
    assert compiled_twice() == 1
    (message,) = caplog.messages
    assert str(store) in message
    with pytest.raises(InputError, match="kernel cache"):
        cache.prepare_folder()


def test_full_disk_leaves_no_cache_mark(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    # Kernels that this process compiles meanwhile would stay in memory and never be written.
    monkeypatch.setattr(LaneRun, "prepare", lambda lane: None)
    with pytest.raises(InputError, match="No space left"):
        compile_preset(qv.load_preset("torque_free").with_run(lanes=["newton_euler"]))
    assert not list(store.iterdir())


def test_temporary_cache_contains_cached_kernels_and_is_deleted(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cache.writable_cache() as lack:
        assert lack is None
        assert cache.folder() == store
    assert compiled_twice() == 1

    def refuse() -> Path:
        raise InputError("there", expected="a", found="b", remedy="c")

    monkeypatch.setattr(cache, "prepare_folder", refuse)
    with cache.writable_cache() as lack:
        assert lack is not None
        meanwhile = cache.folder()
        assert compiled_twice() == 0, "what is there is used"
        (meanwhile / "another.ready").touch()
    assert cache.folder() == store
    assert not meanwhile.exists()
    assert len(list(store.iterdir())) == 1


def become(monkeypatch: pytest.MonkeyPatch, user: int) -> None:
    """Make this process appear as another user's."""
    monkeypatch.setattr(os, "getuid", lambda: user)


needs_owners = pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners in numbers here")


@needs_owners
def test_kernel_writable_by_others_is_not_loaded(store: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Loading a kernel runs its code."""
    assert compiled_twice() == 1
    (kernel,) = store.glob("*.kernel")
    for mode in (0o664, 0o646):
        kernel.chmod(mode)
        assert cache.cached_kernels() == (1, [kernel])
        assert compiled_twice() == 1
        assert kernel.stat().st_mode & 0o777 == 0o644, "the new one is private"
        assert compiled_twice() == 0
    assert any(str(kernel) in message and "other users can write" in message for message in caplog.messages)


@needs_owners
def test_kernel_of_another_user_is_not_loaded(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compiled_twice() == 1
    (kernel,) = store.glob("*.kernel")
    os.chown(kernel, 12345, -1) if os.getuid() == 0 else become(monkeypatch, 12345)
    assert cache.cached_kernels()[1] == [kernel]


@needs_owners
@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_folder_writable_by_others_is_refused(store: Path, mode: int) -> None:
    assert compiled_twice() == 1
    store.chmod(mode)
    assert compiled_twice() == 1, "nothing of it is loaded"
    with pytest.raises(InputError, match="other users can write to it") as caught:
        cache.prepare_folder()
    assert f"chmod go-w {store}` if you trust the files in it" in str(caught.value)
    assert "other users can write to it" in diagnostics.check_kernel_cache().value
    with cache.writable_cache() as fault:
        assert fault is not None
        assert cache.folder() != store
        assert not list(cache.folder().glob("*")), "nothing of it is copied"


@needs_owners
def test_folder_of_another_user_is_refused(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compiled_twice() == 1
    os.chown(store, 12345, -1) if os.getuid() == 0 else become(monkeypatch, 12345)
    with pytest.raises(InputError, match="belongs to another user"):
        cache.prepare_folder()
    assert compiled_twice() == 1


@needs_owners
def test_default_cache_folder_is_not_group_writable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Earlier versions used the `umask`, which lets the group write on many systems."""
    monkeypatch.delenv("QUATVIZ_CACHE_DIR")
    monkeypatch.setattr(resources, "cache_folder", lambda: tmp_path)
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels").chmod(0o775)
    assert cache.prepare_folder().stat().st_mode & 0o777 == 0o755


def test_every_step_loop_is_cached() -> None:
    """Private: `_cache`, because numba has no public name for the cache of a dispatcher."""
    qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=0.01)
    for signature in blocks.fixed_step_block.dispatcher.signatures:
        path = blocks.fixed_step_block.dispatcher._cache.path_of(signature)
        assert path is None or path.is_file()
