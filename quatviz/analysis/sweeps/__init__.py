"""Sweeps: one motion from many starts, with many numbers; each run reduced to a few numbers while it is computed, none kept.

Here live axes, the order in which a map fills in, what a chunk of runs is, how it is computed, what is measured of it, and files.
Nothing here draws, and nothing knows where chunks are computed: `run_chunk` is a function whose arguments and results pickle.
"""
