"""The stand-alone program: its kernels, its child processes, and its self-test."""

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

import quatviz as qv
from quatviz import cli
from quatviz.analysis.sweeps.files import check_sweep_path
from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.version import __version__
from quatviz.commands.support import bundling, first_start, self_test, standalone
from quatviz.export.formats import format_of
from quatviz.physics.kernels import cache, compiler_pool
from quatviz.recordings.readers import read_columns


@pytest.fixture
def bundled_kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The folder of bundled kernels; the user's cache is empty."""
    monkeypatch.setenv("QUATVIZ_CACHE_DIR", str(tmp_path / "own"))
    bundled_kernels = tmp_path / "bundled_kernels"
    bundled_kernels.mkdir()
    (bundled_kernels / resources.PROCESSOR_FILE).write_text(json.dumps(resources.host_processor()))
    monkeypatch.setattr(resources, "SHIPPED_KERNEL_FOLDER", bundled_kernels)
    monkeypatch.setattr(resources, "is_standalone", lambda: True)
    resources.shipped_kernel_folder.cache_clear()
    yield bundled_kernels
    resources.shipped_kernel_folder.cache_clear()


def test_user_kernels_precede_bundled_kernels(bundled_kernels: Path) -> None:
    assert first_start.is_first_start()
    (bundled_kernels / f"pair{compiler_pool.READY_SUFFIX}").touch()
    assert not first_start.is_first_start()
    assert cache.resolve_path(f"pair{compiler_pool.READY_SUFFIX}").exists()
    assert cache.resolve_path("other") == cache.folder() / "other", "where it would be made"
    cache.folder().mkdir(parents=True)
    (cache.folder() / f"pair{compiler_pool.READY_SUFFIX}").touch()
    assert cache.resolve_path(f"pair{compiler_pool.READY_SUFFIX}").parent == cache.folder()


@pytest.mark.parametrize("processor", ['["z80", ""]', "", "[", "\0\0"])
def test_bundled_kernels_of_another_processor_are_not_used(bundled_kernels: Path, processor: str) -> None:
    (bundled_kernels / f"pair{compiler_pool.READY_SUFFIX}").touch()
    (bundled_kernels / resources.PROCESSOR_FILE).write_text(processor)
    assert first_start.is_first_start()
    assert not cache.resolve_path(f"pair{compiler_pool.READY_SUFFIX}").exists()


def test_child_processes_run_without_exposing_bundled_libraries(tmp_path: Path) -> None:
    (tmp_path / "child.py").write_text(
        "import os, sys; print(os.environ['LD_LIBRARY_PATH'], __name__, *sys.argv[1:])"
    )
    done = subprocess.run(
        [sys.executable, "-m", "quatviz.commands.support.standalone", "-m", "child", "word"],
        env={
            **os.environ,
            "LD_LIBRARY_PATH": "/bundle",
            "LD_LIBRARY_PATH_ORIG": "/system",
            "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["/system", "__main__", "word"]


def test_failed_child_reports_its_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "failing_child.py").write_text("raise ImportError('libGL.so.1')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "argv", ["quatviz", "-m", "failing_child"])
    for name in ("PYINSTALLER_RESET_ENVIRONMENT", "LD_LIBRARY_PATH", "LD_LIBRARY_PATH_ORIG"):
        monkeypatch.setenv(name, "")  # the program changes them for its process: restored after the test
    assert standalone.main() == 1
    assert capsys.readouterr().err.splitlines()[-1] == "ImportError: libGL.so.1"


def test_unused_library_is_replaced_by_a_stub(tmp_path: Path) -> None:
    """A program that links to it still loads, and its functions return zeros and empty texts."""
    (tmp_path / "full.c").write_text(
        'int most = 7; int count(void) { return 7; } const char *full_license(void) { return most ? "GPL" : 0; }\n'
    )
    (tmp_path / "versions").write_text("FULL_1 { global: *; };")
    (tmp_path / "user.c").write_text(
        "extern int most, count(void); extern const char *full_license(void);\n"
        "int asked(void) { return 100 * most + 10 * count() + full_license()[0]; }\n"
    )
    build = ["gcc", "-shared", "-fPIC", "-o"]
    subprocess.run(
        [*build, "libfull.so.1", "full.c", "-Wl,-soname,libfull.so.1,--version-script,versions"],
        cwd=tmp_path,
        check=True,
    )
    subprocess.run(
        [*build, "user.so", "user.c", "./libfull.so.1", "-Wl,-rpath,$ORIGIN"], cwd=tmp_path, check=True
    )
    ask = [
        sys.executable,
        "-c",
        "import ctypes, sys; print(ctypes.CDLL(sys.argv[1]).asked())",
        str(tmp_path / "user.so"),
    ]
    assert int(subprocess.check_output(ask)) == 770 + ord("G")
    bundling.stub_libraries(tmp_path, re.compile("libfull"), tmp_path)
    done = subprocess.run(ask, capture_output=True, text=True, check=True)
    assert (int(done.stdout), done.stderr) == (0, "")


def test_duplicate_library_is_stored_once(tmp_path: Path) -> None:
    for folder, content in (("a", b"same"), ("b", b"same"), ("c", b"other")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "libx.so.1").write_bytes(content)
    bundling.link_duplicates(tmp_path)
    assert [(tmp_path / folder / "libx.so.1").is_symlink() for folder in "abc"] == [False, True, False]
    assert (tmp_path / "b" / "libx.so.1").read_bytes() == b"same"


MENUS = {
    *(
        "AudioVideo",
        "Development",
        "Education",
        "Game",
        "Graphics",
        "Network",
        "Office",
        "Science",
        "Settings",
        "System",
    ),
    "Utility",
}
"""Of a desktop; what names two of them stands in both."""


def test_package_has_desktop_integration_files(tmp_path: Path) -> None:
    program = tmp_path / "quatviz"
    program.mkdir()
    (program / "quatviz").write_text("#!/bin/sh\n")
    made = bundling.write_debian_package(program, tmp_path / "scratch")
    if shutil.which("dpkg-deb") is None:
        assert made == []
        return
    depends = (
        subprocess.check_output(["dpkg-deb", "--field", made[0], "Depends"], text=True).strip().split(", ")
    )
    assert "fontconfig-config" in depends, "the library travels, and reads that"
    subprocess.run(["dpkg-deb", "--extract", made[0], tmp_path / "root"], check=True)
    shared = tmp_path / "root" / "usr" / "share"
    assert os.readlink(tmp_path / "root" / "usr" / "bin" / "quatviz") == "/opt/quatviz/quatviz"
    (path,) = (shared / "applications").iterdir()
    reader = configparser.ConfigParser(interpolation=None)
    reader.read(path, "utf-8")
    entry = reader["Desktop Entry"]
    assert len(MENUS & set(entry["Categories"].split(";"))) == 1
    assert (shared / "icons/hicolor/scalable/apps" / f"{entry['Icon']}.svg").is_file()
    (types,) = (shared / "mime" / "packages").iterdir()
    root = ElementTree.parse(types).getroot()
    kinds = {node.attrib["type"]: node.find("{*}glob").attrib["pattern"] for node in root}  # type: ignore[union-attr]
    assert set(entry["MimeType"].strip(";").split(";")) == set(kinds)
    assert sorted(kinds.values()) == ["*.quatviz", "*.quatviz.md"]
    (metainfo,) = (shared / "metainfo").iterdir()
    component = ElementTree.parse(metainfo).getroot()
    assert component.findtext("launchable") == path.name
    assert component.findtext("id") == path.stem
    assert {element.text for element in component.iter("mediatype")} == set(kinds)
    assert [element.attrib["version"] for element in component.iter("release")][:1] == [__version__]


def test_self_test_reports_its_steps(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(self_test, "TRIALS", {"a table": lambda folder: "written", "the window": _fail})
    assert cli.main(["doctor", "--self-test"]) == 1
    output = capsys.readouterr().out
    rows = [" ".join(line.split()) for line in output.splitlines()]
    assert "ok a table written" in rows
    assert "FAIL the window RuntimeError: no word" in rows
    assert output.endswith("Some tests failed; see the remedies above.\n")


def test_self_test_parts_pass(tmp_path: Path) -> None:
    for name in ("equations of motion", "a table, HDF5", "a page, HTML", "a worksheet, PDF"):
        assert self_test.TRIALS[name](tmp_path)


def test_bundle_contains_typesetting_data() -> None:
    text = resources.asset_path("bundle/quatviz.spec").read_text("utf-8")
    assert '("latex2mathml", "ziafont", "ziamath") for each in collect_data_files(package)' in text


@pytest.mark.parametrize("alone", [False, True])
def test_missing_package_is_reported_before_computing(
    alone: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(resources, "is_standalone", lambda: alone)
    monkeypatch.setitem(sys.modules, "xarray", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    table = qv.simulate(qv.load_preset("torque_free"), lanes=["exact"], duration=0.1)
    for write, name in ((check_sweep_path, "nc"), (check_sweep_path, "parquet"), (table.write, "parquet")):
        with pytest.raises(InputError, match="does not contain it" if alone else "is not installed"):
            write(tmp_path / f"found.{name}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("is_installed", [False, True])
def test_only_supported_formats_are_offered(
    is_installed: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown extension is refused, with the known ones and a valid proposed name."""
    if not is_installed:
        for package in ("pyarrow", "rosbags", "xarray"):
            monkeypatch.setitem(sys.modules, package, None)
    (tmp_path / "throw.xyz").write_text("?")
    with pytest.raises(InputError) as writing:
        format_of("run.xyz")
    with pytest.raises(InputError) as reading:
        read_columns(tmp_path / "throw.xyz", None)
    for refusal in (writing.value, reading.value):
        assert (".parquet" in str(refusal)) is is_installed
        assert ".npz" in str(refusal)
    assert (".mcap" in str(reading.value)) is is_installed
    assert str(writing.value.remedy).endswith("run.parquet" if is_installed else "run.csv")
    with pytest.raises(InputError) as sweeping:
        check_sweep_path(tmp_path / "found.xyz")
    assert (".nc" in str(sweeping.value)) is is_installed
    assert ".csv" in str(sweeping.value)
    for command, suffix in (("run", ".parquet"), ("import", ".mcap"), ("sweep", ".nc,")):
        with pytest.raises(SystemExit):
            cli.main([command, "--help"])
        output = capsys.readouterr().out
        assert (suffix in output) is is_installed, command
        assert ".csv" in output


def _fail(folder: Path) -> str:
    raise RuntimeError("no word")


def test_missing_bundle_tools_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments, status in ((["--help"], 0), (["--fast"], 2), (["one", "two"], 2)):
        with pytest.raises(SystemExit) as stopped:
            bundling.main(arguments)
        assert stopped.value.code == status
    assert "stand-alone folder" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
