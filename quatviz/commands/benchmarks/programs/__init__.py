"""Other programs that integrate the motion of a rigid body, one file each. `quatviz bench peers` compares those that are
installed."""

from quatviz.base.registry import Registry
from quatviz.commands.benchmarks.programs.base import PeerProgram

PROGRAMS: Registry[type[PeerProgram]] = Registry(__name__, PeerProgram)
"""Programs by name."""
