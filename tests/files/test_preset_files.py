"""Finding presets by name, by path, and in installed packages."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from quatviz.base import registry
from quatviz.base.errors import InputError
from quatviz.files.preset_files import find_preset, preset_paths
from quatviz.files.preset_reading import read_text_file


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "presets"
    folder.mkdir()
    for name in ("torque_free", "heavy_top", "v1.5"):
        (folder / f"{name}.toml").write_text("format = 1\n")
    (folder / "notes.txt").write_text("no preset\n")
    return folder


@pytest.fixture
def plugins(tmp_path, monkeypatch):
    """Install a package and a broken entry point, the package with presets and code that must not run."""
    package = tmp_path / "site" / "outside_presets"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('a preset must not run code')\n")
    for name in ("asteroid", "torque_free"):
        (package / f"{name}.toml").write_text("format = 1\n")
    points = (
        EntryPoint("asteroids", "outside_presets", "quatviz.presets"),
        EntryPoint("broken", "no_such_package_at_all", "quatviz.presets"),
    )
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setattr(registry, "plugin_entry_points", lambda family: points)
    return package


def test_preset_names_equal_the_files_of_the_folder(folder):
    assert list(preset_paths(folder)) == ["heavy_top", "torque_free", "v1.5"]
    assert find_preset("torque_free", folder) == folder / "torque_free.toml"
    assert find_preset("v1.5", folder) == folder / "v1.5.toml"


def test_other_preset_names_are_paths(folder, tmp_path, monkeypatch):
    mine = tmp_path / "mine.toml"
    mine.write_text("format = 1\n")
    assert find_preset(str(mine), folder) == mine
    assert find_preset(mine, folder) == mine
    monkeypatch.chdir(tmp_path)
    assert find_preset("mine.toml", folder).read_text() == "format = 1\n"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("torqe_free", "did you mean 'torque_free'?"),
        ("torqe_free.toml", "did you mean 'torque_free'?"),
        ("elsewhere/heavy_top.toml", "did you mean 'heavy_top'?"),
        ("zzz", "quatviz list"),
        (f"{'z' * 300}.toml", "no such file"),
        ("", "heavy_top, torque_free, v1.5"),
    ],
)
def test_unknown_preset_lists_available_ones(folder, name, message):
    with pytest.raises(InputError) as caught:
        find_preset(name, folder)
    assert message in str(caught.value)
    assert "heavy_top, torque_free" in caught.value.expected


def test_only_regular_files_are_read(tmp_path):
    """Reading a pipe would block, and some devices never end."""
    for path in (Path("/dev/null"), tmp_path):
        with pytest.raises(InputError, match="a folder, a pipe or a device"):
            read_text_file(path)


def test_installed_packages_add_presets(folder, plugins, caplog):
    paths = preset_paths(folder)
    assert list(paths) == ["heavy_top", "torque_free", "v1.5", "asteroid"]
    assert paths["torque_free"].parent == folder  # not replaced
    assert find_preset("asteroid", folder) == plugins / "asteroid.toml"
    assert "outside_presets" not in sys.modules
    assert "no_such_package_at_all" in caplog.text
    assert "there is a preset 'torque_free' already" in caplog.text
