"""Programs that integrate the same motion, one file each, for comparison in `quatviz bench peers` if they are installed."""

from quatviz.base.registry import Registry
from quatviz.commands.benchmarks.programs.base import PeerProgram

PROGRAMS: Registry[type[PeerProgram]] = Registry(__name__, PeerProgram)
"""Programs by name."""
