"""Rigid-body rotation in NumPy and numba, without Qt.

Packages, each of which imports only from those listed before it:

- `geometry/`, `shapes.py`, `mechanics/`: polyhedra and meshes, shapes of bodies, rotations, bodies, initial states.
- `kernels/`: selection, compilation and caching of compiled functions, and the algebra that they share.
- `loads/`, `events/`, `exact/`: loads, events and exact solutions, one file each.
- `observables/`: quantities computed from a motion, the theory of the multiplier, and published values.
- `equations/`: terms of the equation cards.
- `formulations/`, `integrators/`: equations of motion and methods of time stepping, one file or folder each.
- `typed_formulations/`: formulations that a user types as text.

Terms: a *lane* is one computed motion of a run, with its own formulation, integrator and settings. A *sample* is
one of the equidistant times at which a run is recorded. The *sphere* is the unit sphere |p| = 1 of the Euler
parameters p, and the *constraint* of a formulation is p.p = 1. *Integrated states* are the states that the
integrator advances, before any conversion for display. The *singularity measure* of a formulation is a number that
tends to 0 where its coordinates are singular. *Body* and *space* after a unit name the frame of the components.
`S0` to `S4` are the source documents, see `base.citations`.

To understand a formulation, read `formulations/base.py`, then `formulations/newton_euler`, the simplest one. The
docstring of its base class is the contract of each family of extensions, such as `loads.base.Load`.
"""
