"""Free memory of the machine and of the container of a process."""

from pathlib import Path

import pytest

from quatviz.files import limits

MACHINE = "MemTotal:  64000000 kB\nMemAvailable:  50000000 kB\n"


@pytest.fixture
def system_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine that reports 51.2 GB of free memory."""
    for name, folder in (("_PROC", tmp_path / "proc"), ("_CGROUP_ROOT", tmp_path / "groups")):
        monkeypatch.setattr(limits, name, folder)
    write(tmp_path / "proc" / "meminfo", MACHINE)
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "ascii")


def test_free_memory_without_cgroups(system_files: Path) -> None:
    assert limits.free_memory() == 51_200_000_000
    write(system_files / "proc" / "self" / "cgroup", "0::/user.slice\n")
    assert limits.free_memory() == 51_200_000_000, "the group's files are not there"
    (system_files / "proc" / "meminfo").unlink()
    assert limits.free_memory() == 2**62, "nobody says"


@pytest.mark.parametrize("limited", ["pod", "pod/lecture"])
def test_free_memory_with_cgroups_v2(system_files: Path, limited: str) -> None:
    write(system_files / "proc" / "self" / "cgroup", "0::/pod/lecture\n")
    for group in ("pod", "pod/lecture"):
        write(system_files / "groups" / group / "memory.max", "1500000000\n" if group == limited else "max\n")
        write(system_files / "groups" / group / "memory.current", "1200000000\n")
        write(system_files / "groups" / group / "memory.stat", "anon 1000000000\ninactive_file 200000000\n")
    assert limits.free_memory() == 500_000_000


def test_free_memory_with_cgroups_v1(system_files: Path) -> None:
    write(system_files / "proc" / "self" / "cgroup", "4:memory:/docker/1\n3:cpu,cpuacct:/docker/1\n")
    top = system_files / "groups" / "memory"
    for group, most in ((top, 2**63 - 4096), (top / "docker" / "1", 1_500_000_000)):
        write(group / "memory.limit_in_bytes", f"{most}\n")
        write(group / "memory.usage_in_bytes", "1700000000\n")
        write(group / "memory.stat", "inactive_file 0\ntotal_inactive_file 100000000\n")
    assert limits.free_memory() == 0, "it uses more than it may have already"
