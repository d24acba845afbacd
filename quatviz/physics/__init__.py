"""Rigid-body rotation in NumPy and numba, without Qt.

Packages from the bottom up; each imports only from those above it in this list:

- `geometry/`, `shapes.py`, `mechanics/`: polyhedra and meshes, shapes of bodies, rotations, bodies, initial states.
- `kernels/`: selection, compilation and caching of compiled functions, and the algebra that they share.
- `loads/`, `events/`, `exact/`: loads, events and exact solutions, one file each.
- `observables/`: quantities computed from a motion, the theory of the multiplier, and published values.
- `equations/`: terms of the equation cards.
- `formulations/`, `integrators/`: equations of motion and methods of time stepping, one file or folder each.
- `typed_formulations/`: formulations that a user types as text.

To understand a formulation, read `formulations/base.py`, then `formulations/newton_euler`, the simplest one. The
docstring of its base class is the contract of each family of extensions, such as `loads.base.Load`.
"""
