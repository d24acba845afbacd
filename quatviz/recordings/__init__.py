"""Recordings of measured motions: reading, detection of columns and conventions, alignment, resampling and writing.

The value `Recording` and the options `ReadOptions` of a file are in `physics.observables`, because a lane of a
preset contains one of them. Computations take plain arrays: times (n,) [s], p (n, 4) scalar first and body to
space, omega (n, 3) [rad/s, body]. Nothing here depends on lanes. Nothing in a file is executed, and files to which
a file refers are not opened.
"""
