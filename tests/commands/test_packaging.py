"""Contents of a checkout, the wheel and the source distribution."""

import fnmatch
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from quatviz.base import resources

ROOT = Path(__file__).resolve().parents[2]
TOP_LEVEL = {"pyproject.toml", "README.md", "quatviz", "assets", "tests", "presets"}


def shipped(folder: str) -> set[str]:
    """The files of a folder of the checkout, as paths from the root."""
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file()}


def build(target: str, folder: Path) -> Path:
    """Build the wheel or the source distribution with the backend itself, which needs no network."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(folder.iterdir())


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The wheel, unpacked in the way in which pip does."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(build("wheel", tmp_path_factory.mktemp("wheel"))) as wheel:
        wheel.extractall(folder)
    return folder


def test_top_level_contains_only_expected_files():
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").split()]
    entries = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    kept = {name for name in entries if not any(fnmatch.fnmatch(name, pattern) for pattern in ignored)}
    assert kept <= TOP_LEVEL


def test_wheel_contains_presets_and_assets(installed):
    wanted = shipped("presets") | shipped("assets")
    assert {"assets/fonts/Inter-Regular.otf", "assets/fonts/Inter-SemiBold.otf"} <= wanted
    assert any(name.startswith("presets/") and name.endswith(".toml") for name in wanted)
    assert all((installed / "quatviz" / name).is_file() for name in wanted)


def test_wheel_contains_every_module(installed):
    assert all((installed / name).is_file() for name in shipped("quatviz") if name.endswith(".py"))


def test_wheel_contains_licenses(installed):
    information = next(installed.glob("quatviz-*.dist-info"))
    named = [
        line.removeprefix("License-File: ")
        for line in (information / "METADATA").read_text(encoding="utf-8").splitlines()
        if line.startswith("License-File: ")
    ]
    assert sorted(named) == [
        "assets/fonts/LICENSE-Inter.txt",
        "assets/web/LICENSE-uPlot.txt",
        "quatviz/LICENSE",
    ]
    assert all((information / "licenses" / name).is_file() for name in named)


def test_wheel_installs_the_command(installed):
    points = next(installed.glob("quatviz-*.dist-info")) / "entry_points.txt"
    assert "quatviz = quatviz.cli:main" in points.read_text(encoding="utf-8").splitlines()


def test_installed_copy_finds_its_files(installed, tmp_path):
    program = (
        "from quatviz.base import resources as r;"
        "print(r.preset_folder(), r.asset_path('fonts/Inter-Regular.otf'), r.checkout_root(), sep='\\n')"
    )
    environ = {**os.environ, "PYTHONPATH": str(installed)}
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environ, capture_output=True, text=True, check=True
    )
    inside = installed / "quatviz"
    assert run.stdout.splitlines() == [
        str(inside / "presets"),
        str(inside / "assets" / "fonts" / "Inter-Regular.otf"),
        "None",
    ]


def test_source_distribution_can_be_built(tmp_path):
    with tarfile.open(build("sdist", tmp_path)) as source:
        names = {name.split("/", 1)[-1] for name in source.getnames()}
    wanted = shipped("presets") | shipped("assets") | TOP_LEVEL & {"pyproject.toml", "README.md"}
    assert wanted | {"quatviz/bootstrap.py", "tests/commands/test_packaging.py"} <= names


def test_fonts_are_small():
    assert sum(path.stat().st_size for path in (ROOT / "assets" / "fonts").iterdir()) < 1_000_000


def test_checkout_finds_its_own_files():
    assert resources.checkout_root() == ROOT
    assert resources.preset_folder() == ROOT / "presets"
    assert resources.asset_path("fonts/Inter-Regular.otf").is_file()


def test_missing_asset_is_reported_by_name():
    with pytest.raises(FileNotFoundError, match="fonts/Comic"):
        resources.asset_path("fonts/Comic.otf")


@pytest.mark.parametrize(
    ("variable", "folder"),
    [("QUATVIZ_SETTINGS_DIR", resources.settings_folder), ("QUATVIZ_CACHE_DIR", resources.cache_folder)],
)
def test_personal_folders_can_be_moved(variable, folder, monkeypatch, tmp_path):
    monkeypatch.delenv(variable, raising=False)
    assert folder().name
    assert folder().is_absolute()
    monkeypatch.setenv(variable, str(tmp_path))
    assert folder() == tmp_path
    assert not list(tmp_path.iterdir())


def test_readme_lists_every_formulation() -> None:
    from quatviz.physics.formulations import FORMULATIONS

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in FORMULATIONS if f"`{name}`" not in text] == []
