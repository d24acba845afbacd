"""Sweeps: one motion computed for many initial conditions and parameters, each run reduced to a few numbers
while it runs.

The package defines the axes, the order in which points are computed, the chunks and their engine, the measures, and
the files. It draws nothing and does not know where chunks are computed: `run_chunk` is a function with picklable
arguments and results.
"""
