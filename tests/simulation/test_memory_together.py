"""Threads of the window share memory instead of keeping arenas of their own."""

import subprocess
import sys

import pytest

CODE = """
import ctypes, re, sys, threading
from quatviz.simulation.worker import limit_malloc_arenas
if sys.argv[2] == "together":
    limit_malloc_arenas()
together = threading.Barrier(8)
def take():
    together.wait()
    for size in range(1000, 60000, 1000):
        bytearray(size)
    together.wait()
threads = [threading.Thread(target=take) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(libc.fopen(sys.argv[1].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
print(len(re.findall("<heap nr", open(sys.argv[1]).read())))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="another C library")
def test_threads_share_two_memory_arenas(tmp_path_factory: pytest.TempPathFactory) -> None:
    def places(how: str) -> int:
        path = tmp_path_factory.mktemp("malloc") / "info.xml"
        command = [sys.executable, "-c", CODE, str(path), how]
        return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    together = places("together")
    assert together <= 2
    assert together <= places("apart")
