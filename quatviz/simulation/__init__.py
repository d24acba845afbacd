"""Computation of runs: lanes, their histories, the runner and its worker thread. Nothing here imports Qt.

A lane has four parts, which `lane.LaneRun` connects:

- `problem.Problem` is everything that determines the motion: formulation, method, events, and the segments between
events
  (`schedule`). It is immutable.
- `stepping.advance` is the only function that steps. It takes a `SolverState` and returns the next one; it calls
the integrator's
  `block`, which for fixed steps is `physics.kernels.blocks.fixed_step_block`, compiled for the types of method
  and parameters.
- `recorder.Recorder` keeps the `history` and applies events.
- `diagnostics` judges the accuracy of a complete lane; `end_reasons` explains an early end.

`lane_reader` returns the motion of a lane at its samples (`trajectory`) and between them (`dense_output`). A script
reaches the first
step through `api.calls.simulate`, `Simulation.complete`, `LaneRun.prepare`, `LaneRun.advance`, `advance`. In the
window, `Worker`
ticks a `Runner`, which calls the same `LaneRun.advance`.
"""
