"""Formulations that a script or a notebook defines: a Python function with NumPy, or a Lagrangian in SymPy.

The classes made here behave like those in `quatviz.formulations`, but exist in this process only. Runs,
studies, the window and `judging` use them like built-in classes. `function`, `state_function` and
`lagrangian` build the classes, and `formulation` is the function that a script calls. The kernels belong to
no module, so they are not stored in the kernel cache.
"""
