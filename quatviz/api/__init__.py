"""The functions and classes behind `import quatviz`: presets by name, runs, and results that do not depend on the engine.

`calls` contains the functions. `run.Run` is a mapping from name to lane; a lane is a `solution.Solution`.
"""
