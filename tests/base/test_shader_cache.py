"""Mesa's cache of compiled shaders on a full disk, where its mapped index would end the process by SIGBUS."""

import errno
import os
import sys
from pathlib import Path

import pytest

from quatviz.base import resources


def full(handle: int, start: int, length: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("MESA_SHADER_CACHE_DIR", "XDG_CACHE_HOME", resources.SHADER_CACHE_VARIABLE):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("HOME", str(tmp_path / "new"))


def test_shader_cache_index_is_preallocated(tmp_path: Path) -> None:
    """The index has no holes, so a disk that fills up between two shaders does no harm."""
    index = tmp_path / "new" / ".cache" / "mesa_shader_cache" / "index"
    for begins in (b"", b"shaders\0" * 100):
        if begins:
            index.write_bytes(begins)
            os.truncate(index, 1_310_728)  # as Mesa does
        resources.disable_full_shader_cache()
        assert not os.environ[resources.SHADER_CACHE_VARIABLE]
        status = index.stat()
        assert status.st_size == 1_310_728
        assert 512 * status.st_blocks >= status.st_size
        assert index.read_bytes() == begins.ljust(1_310_728, b"\0")


@pytest.mark.parametrize("name", ["MESA_SHADER_CACHE_DIR", "XDG_CACHE_HOME", "HOME"])
def test_full_disk_disables_the_shader_cache(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "named"
    (path / "mesa_shader_cache").mkdir(parents=True)
    monkeypatch.setenv(name, str(path))
    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    resources.disable_full_shader_cache()
    assert os.environ[resources.SHADER_CACHE_VARIABLE] == "true"
    assert list((path if name == "MESA_SHADER_CACHE_DIR" else tmp_path).rglob("index")) == [], (
        "nothing is left of it"
    )
