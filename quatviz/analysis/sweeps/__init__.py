"""Sweeps: one motion computed for many initial conditions and parameters, each run reduced to a few numbers while it
runs.

The package defines the axes, the order in which points are computed, the chunks and their engine, the measures, and the
files. It draws nothing and does not depend on where chunks are computed: `run_chunk` is a function with picklable
arguments and results.

Terms: a *point* is one combination of axis values, and a *run* is one point computed in one lane. A *chunk* is a range
of points that one call computes. A *batch* contains runs of a chunk that differ only in numbers and are advanced
together. A *measure* reduces a run to one or a few numbers. A *map* shows a measure over two axes.
"""
