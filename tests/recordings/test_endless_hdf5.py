"""A damaged HDF5 file on which its library never ends is refused by the processor time of the child that reads it."""

import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

import quatviz as qv
from quatviz.base.child_processes import python_command

ENDLESS_LIBRARY = """
import runpy, sys
import h5py
def endless(*arguments):
    while True:
        pass
h5py.File = endless
sys.argv = ["arrays", *sys.argv[1:]]
runpy.run_module("quatviz.recordings.arrays", run_name="__main__")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="only Unix limits the processor time of a process")
def test_endless_hdf5_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("t", data=np.arange(5.0))

    def command(module: str, *arguments: str) -> list[str]:
        return python_command("-c", ENDLESS_LIBRARY, *arguments)

    monkeypatch.setattr("quatviz.recordings.arrays.module_command", command)
    monkeypatch.setattr(
        "quatviz.recordings.arrays.BASE_TIMEOUT", 600.0
    )  # a busy machine gives little processor time
    with pytest.raises(qv.InputError, match="does not come to an end"):
        qv.load_recording(tmp_path / "a.h5")
