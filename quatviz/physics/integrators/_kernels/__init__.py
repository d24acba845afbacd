"""Kernels that several integrators share, and the types of the data that their steps read and write.

These modules contain compiled code only. The argument `method` of a step is an instance of such a type. Arrays in
it serve as the *memory* of the method between two steps.
"""
