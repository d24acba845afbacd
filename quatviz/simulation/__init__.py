"""Computation of runs: lanes, their histories, the runner and its worker thread. Nothing here imports Qt.

A lane has four parts, which `lane.LaneRun` connects:

- `problem.Problem` is everything that determines the motion: formulation, method, events, and the segments between
  events (`schedule`). It is immutable.
- `stepping.advance` is the only function that makes time steps. It turns a `SolverState` into the next one by calling
  the integrator's `block`. For fixed steps, the block is `physics.kernels.blocks.fixed_step_block`, compiled for the
  integrator and the formulation of the lane. `lane_solver.LaneSolver` keeps the state of a lane between two calls.
- `recorder.Recorder` keeps the `history` and applies events.
- `diagnostics` judges the accuracy of a complete lane; `end_reasons` explains an early end.
  `lane_diagnostics.LaneDiagnostics` has all messages about a lane.

`lane_reader` returns the motion of a lane at its samples (`trajectory`) and between them (`dense_output`). In a script,
the chain of calls to the first step is `api.calls.simulate`, `Simulation.complete`, `LaneRun.prepare`,
`LaneRun.advance`, `advance`. In the window, `Worker` ticks a `Runner`, which calls the same `LaneRun.advance`.

Terms: a *sample* is a recorded state of a lane; samples are equidistant in time. A *row* is an array that contains the
state at one time, at a sample or between samples. A *segment* is the part of a lane between two events. A *block* is a
number of time steps that one call of a compiled kernel makes. A lane with a *closed form* is evaluated from a formula
and not integrated.
"""
