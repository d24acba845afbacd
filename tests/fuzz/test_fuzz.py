"""Invalid files, texts and pasted codes: some of each format, and all inputs that once caused a fault.

`python tests/fuzz/run.py --minutes 60` tries more inputs. The file of a fault that was found belongs into `corpus`, in the
folder of its reader.
"""

import os
from pathlib import Path
from random import Random

import pytest
import trial
from mutation import binary_from, text_from
from readers import FuzzReader, readers
from trial import try_file, try_readers

HERE = Path(__file__).parent
REPEATED = {
    "latex/braces.txt": "{" * 5000,
    "latex/fractions.txt": r"\frac" * 5000,
    "markdown/lists.md": "- " * 20_000 + "x",
    "markdown/quotes.md": "> " * 20_000 + "x",
    "mesh.obj/many_corners.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nf " + "1 2 3 " * 20_000 + "\n",
    "mesh.obj/materials.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
    + "".join(f"usemtl m{number}\nf 1 2 3\n" for number in range(20_000)),
    "mesh.stl/words.stl": "solid x\n" + "facet normal 0 0 1\n" * 5000,
    "typed/digits.txt": "1" * 32_000,
    "typed/letters.txt": "a" * 32_000,
    "typed/units.txt": "2 " + "kg " * 10_000,
    "motion.aem/days.aem": "CCSDS_AEM_VERS = 1.0\nMETA_START\nREF_FRAME_B = BODY\nATTITUDE_TYPE = SPIN\nMETA_STOP\nDATA_START\n"
    + "".join(
        f"{1700 + number // 365}-{1 + number % 365:03d}T00:00:00 1 2 3 4\n" for number in range(40_000)
    ),
    "motion.aem/blank.aem": "CCSDS_AEM_VERS = 1.0\nMETA_START\nATTITUDE_TYPE = SPIN\nMETA_STOP\nDATA_START\n"
    + "\n" * 300_000,
}
"""Inputs with many repetitions of one token, which once took too long. Their files would be large."""
FOUND = sorted(path for path in (HERE / "corpus").rglob("*") if path.is_file())


INPUTS = 200
FEWER = {
    "kept": 120,
    "table.h5": 20,
    "recording.h5": 12,
    "lesson": 120,
    "markdown": 120,
    "typeset": 120,
    "sweep.parquet": 100,
    "sweep.zarr": 100,
}
"""Number of inputs of slow readers, by name."""
FEWER |= {name: 60 if name.endswith(".h5") else 100 for name in readers() if name.startswith("motion")}
OFTEN_ACCEPTED = ("motion.h5", "motion.zip", "settings", "kept")
NEVER_REFUSED = ("markdown", "settings", "kept", "sweep.parquet")
TOGETHER = {
    "files": ("preset", "session", "look", "settings", "kept", "lane", "short"),
    "words": ("lesson", "markdown", "latex", "typeset", "expression", "typed"),
    "meshes and motions": (
        *(name for name in readers() if name.startswith("mesh")),
        *("motion.csv", "motion.aem", "motion.zip", "motion.xml", "motion.a", "motion.sto"),
    ),
    "motions in columns": (
        "motion.mcap",
        "motion.db3",
        "motion.bag",
        "motion.mot",
        "motion.gcsv",
        "motion.lvm",
        "motion.log",
        "motion.bin",
        "motion.npz",
        "motion.parquet",
        "motion.h5",
    ),
    "tables and sweeps": tuple(
        name
        for name in readers()
        if name.startswith(("table", "recording", "sweep")) and name not in ("table.h5", "recording.h5")
    ),
    "HDF5": ("table.h5", "recording.h5"),
}
"""Groups of readers that share a child process, since starting it takes longer than hundreds of inputs."""


def test_every_reader_is_tried() -> None:
    assert sorted(name for names in TOGETHER.values() for name in names) == sorted(readers())


@pytest.mark.slow
@pytest.mark.parametrize("names", TOGETHER.values(), ids=TOGETHER)
def test_wrong_inputs_are_read_or_refused(names: tuple[str, ...], tmp_path: Path) -> None:
    """All groups together take half a minute of processor time."""
    counts = {name: FEWER.get(name, INPUTS) for name in names}
    for name, outcome in try_readers(counts, seed=1, keep=tmp_path).items():
        assert not outcome.faults, "\n\n".join(outcome.faults)
        assert outcome.accepted + outcome.refused == counts[name]
        assert outcome.refused or name in NEVER_REFUSED
        assert outcome.accepted or name not in OFTEN_ACCEPTED, "the child process of the reader does not work"


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.relative_to(HERE / "corpus").as_posix())
def test_inputs_of_former_faults_are_read_or_refused(path: Path) -> None:
    assert try_file(path.parent.name, path) == ""


@pytest.mark.parametrize("name", REPEATED)
def test_many_repetitions_are_read_or_refused_in_time(name: str, tmp_path: Path) -> None:
    reader, _, file = name.partition("/")
    path = tmp_path / file
    path.write_text(REPEATED[name], "utf-8")
    assert try_file(reader, path) == ""


def test_inputs_are_reproducible() -> None:
    seeds = [b"a = 1\nb = [1, 2]\n"]
    made = [text_from(Random(f"{number}"), seeds) for number in range(40)]
    assert made == [text_from(Random(f"{number}"), seeds) for number in range(40)]
    assert len(set(made)) > 30
    assert len({binary_from(Random(number), [b"solid\0\1\2"]) for number in range(40)}) > 25


def test_no_input_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Flushing files to the disk would take a hundred times as long as most readers need. Private: `_try_input`, which a child
    process calls thousands of times."""

    def waits(file: int) -> None:
        pytest.fail("the input is flushed to the disk")

    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, name, waits)
    path = tmp_path / "lane.txt"
    assert trial._try_input("lane", path, b"hamilton") == ("", True)
    assert not path.exists()


def test_faults_are_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def raising(path: Path) -> None:
        raise KeyError("no refusal")

    def silent(path: Path) -> None:
        raise ValueError("")

    def slow(path: Path) -> None:
        while True:
            pass

    monkeypatch.setattr("trial.SECONDS", 0.2)
    for read, words in ((raising, "KeyError"), (silent, "without a message"), (slow, "of processor time")):
        reader = FuzzReader("x", ".txt", read, lambda folder: [b"a"], refusals=(ValueError,))
        monkeypatch.setitem(readers(), "x", reader)
        path = tmp_path / "x.txt"
        path.write_bytes(b"a")
        assert words in try_file("x", path)
