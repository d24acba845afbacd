"""Studies: error and cost of one motion for several lanes, integrators and steps.

Terms: a *case* is a lane with an integrator and a step or tolerance. A *point* is a case that has been
computed and measured. A *curve* contains the points of one lane with one integrator. A *level* is the error
of the reference solution itself, below which errors are not resolved.
"""
