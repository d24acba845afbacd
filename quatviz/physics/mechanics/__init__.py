"""Rotations, Euler sequences, the rigid body and its initial state, in NumPy. Loads, kernels and time steps are
elsewhere.
"""
