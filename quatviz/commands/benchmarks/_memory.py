"""Memory of this process, for benchmarks."""

import os
from pathlib import Path


def resident_memory() -> float:
    """Return the resident memory of the process [MB], or NaN if the system does not report it."""
    statm = Path("/proc/self/statm")
    pages = int(statm.read_text().split()[1]) if statm.exists() else float("nan")
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
