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
    for name in ("MESA_SHADER_CACHE_DIR", "XDG_CACHE_HOME", resources.SHADERS):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("HOME", str(tmp_path / "new"))


def test_a_disk_with_room_keeps_shaders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    resources.leave_full_shader_cache()
    assert not os.environ[resources.SHADERS]
    assert list(tmp_path.iterdir()) == [], "nothing is left of the attempt"


@pytest.mark.parametrize("name", ["MESA_SHADER_CACHE_DIR", "XDG_CACHE_HOME", "HOME"])
def test_a_full_disk_keeps_none(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = tmp_path / "named"
    (place / "mesa_shader_cache").mkdir(parents=True)
    monkeypatch.setenv(name, str(place))
    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    resources.leave_full_shader_cache()
    assert os.environ[resources.SHADERS] == "true"
