"""The functions and classes behind `import quatviz`: presets by name, runs, and results that do not depend on the engine.

`calls` contains the functions. `run.Run` is a mapping of lanes by name, `solution.Solution` one lane.
"""
