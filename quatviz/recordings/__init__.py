"""Motions from outside: between attitude and rates, in whose conventions they are, laid beside others.

Plain arrays here: times (n,) [s], p (n, 4) scalar first and body to space, omega (n, 3) [rad/s, body]. Nothing here integrates an
equation of motion or knows a lane.
"""
