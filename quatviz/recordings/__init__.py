"""Motions from outside: files read, proposed, put into the conventions of the program and written; between attitude and rates, in
whose conventions they are, laid beside others.

`physics.observables.recording.Recording` is the value, `physics.observables.read_options.ReadOptions` says how one stands in a
file; both are farther in, for a lane of a preset holds either. What computes takes plain arrays: times (n,) [s], p (n, 4)
scalar first and body to space, omega (n, 3) [rad/s, body]. Nothing here knows a lane; nothing that stands in a file is run, and
none leads to another.
"""
