"""Programs that integrate the same motion, one file each: what `quatviz bench peers` stands beside, where they are installed."""

from quatviz.base.registry import Registry
from quatviz.commands.benchmarks.programs.base import PeerProgram

PROGRAMS: Registry[type[PeerProgram]] = Registry(__name__, PeerProgram)
"""Every program by its name."""
