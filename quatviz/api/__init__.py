"""What `import quatviz` brings: presets and runs by name, and results that stand apart from the engine that made them.

`calls` are the functions, `run.Run` is a mapping of lanes by name, `solution.Solution` one lane.
"""
