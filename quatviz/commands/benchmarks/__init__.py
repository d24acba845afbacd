"""Benchmarks, one file each: `measure()` returns results (with references from the same run), scalings and remarks.

The list of benchmarks is made from the docstrings of their modules. An installed package adds one by an entry point
of the group `quatviz.bench`.
"""

from quatviz.base.registry import CommandRegistry

BENCHES = CommandRegistry(__name__, "bench")
"""Benchmarks by name, in the order of `quatviz bench --help`."""
