"""Formulations that a script or a notebook makes, without a package: from a function of NumPy, or from a Lagrangian of SymPy.

They are classes of the very kind that stands in `quatviz.formulations`, in this process alone: runs, studies, the window and
`judging` know no difference. `velocities` says what an argument's name means, `function` and `lagrangian` make the classes, and
`formulation` is what a script calls. Kernels of theirs are in no module, so that no cache keeps them.
"""
