"""Rotations, Euler sequences, the rigid body and how it starts, in NumPy. No load, no kernel, no time step lives here."""
