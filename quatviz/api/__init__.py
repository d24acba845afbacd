"""The functions and classes behind `import quatviz`: presets by name, runs, and results.

`calls` contains the functions. `run.Run` is a mapping from name to lane; a lane is a `solution.Solution`.

Terms: a *preset* contains the body, the loads, the initial state and the settings of a run. A *lane* is one
computed motion of the run, with its own formulation and integrator. The *engine* is the package
`quatviz.simulation`, which computes lanes; results that were read from a file have no engine. A *quantity* is a
number or vector that a lane has at each time, such as `h`.
"""
