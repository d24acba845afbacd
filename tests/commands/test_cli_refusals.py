"""Bad input: one message with place, expected, found and remedy, exit status 2, no traceback."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOOD = (ROOT / "presets" / "torque_free.toml").read_text(encoding="utf-8")


WRONG = [
    ("[body]", "[body", "line"),
    ("duration = 40", "durration = 40", "durration"),
    ("[400, 307.808385, 200]", "[400, 307.8]", "body.inertia"),
    ("[400, 307.808385, 200]", "[400, 100, 200]", "body.inertia"),
    ("[1, 0, 0, 0]", "[0, 0, 0, 0]", "initial.euler_parameters"),
    ("dt = 1e-3", "dt = 3e-3", "run.dt"),
    ('"hamilton"', '"hamiltom"', "lanes[1].formulation"),
]
LOAD_ALL = """
import contextlib, io, json, sys
from quatviz.cli import main
results = []
for path in sys.argv[1:]:
    with contextlib.redirect_stderr(io.StringIO()) as errors:
        results.append((main([path]), errors.getvalue()))
print(json.dumps(results))
"""


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=300,  # without the refusal a window would open and stay
        check=False,
    )


def in_four_parts(status: int, output: str) -> str:
    """Return the four parts of a refusal."""
    assert status == 2, output
    assert "Traceback" not in output
    for word in ("expected", "found", "try"):
        assert output.count(f"\n  {word} ") == 1, output
    return output


def refused(arguments: list[str], **environment: str) -> str:
    done = python("-m", "quatviz", *arguments, **environment)
    return in_four_parts(done.returncode, done.stderr)


@pytest.fixture(scope="module")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    """Return the output for each wrong preset; one process loads them all."""
    folder = tmp_path_factory.mktemp("wrong")
    paths = [folder / f"wrong_{number}.toml" for number in range(len(WRONG))]
    for path, (old, new, _) in zip(paths, WRONG, strict=True):
        assert old in GOOD
        path.write_text(GOOD.replace(old, new), encoding="utf-8")
    done = python("-c", LOAD_ALL, *map(str, paths))
    return dict(zip((new for _, new, _ in WRONG), json.loads(done.stdout), strict=True))


@pytest.mark.parametrize(("old", "new", "fragment"), WRONG)
def test_wrong_preset_is_refused(
    old: str, new: str, fragment: str, refusals: dict[str, tuple[int, str]]
) -> None:
    message = in_four_parts(*refusals[new])
    assert re.search(r"wrong_\d\.toml", message)
    assert "line" in message
    assert fragment in message


def test_invalid_and_missing_files_are_refused(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(GOOD.replace("[body]", "[body"), encoding="utf-8")
    assert "wrong.toml" in refused([str(wrong)])
    assert "none.toml" in refused([str(tmp_path / "none.toml")])
    assert "torque_free" in refused(["torque_fre"])


def test_unwritable_cache_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    path = str(tmp_path / "file" / "cache")
    assert "QUATVIZ_CACHE_DIR" in refused(["compile"], QUATVIZ_CACHE_DIR=path)
    for arguments in (["list", "loads"], ["run", "torque_free", "--lane", "exact", "--duration", "0.1"]):
        assert python("-m", "quatviz", *arguments, QUATVIZ_CACHE_DIR=path).returncode == 0, (
            "keeps nothing, and goes on"
        )


def test_disabled_numba_compilation_is_refused() -> None:
    """Users who debug kernels of other programs disable compilation in numba."""
    arguments = ["run", "torque_free", "--lane", "hamilton", "--duration", "0.1"]
    assert "NUMBA_DISABLE_JIT" in refused(arguments, NUMBA_DISABLE_JIT="1")


def test_missing_display_is_refused() -> None:
    for platform in ("", "xcb"):  # this would end the process
        message = refused(["torque_free"], DISPLAY="", WAYLAND_DISPLAY="", QT_QPA_PLATFORM=platform)
        assert "bootstrap.py run" in message
