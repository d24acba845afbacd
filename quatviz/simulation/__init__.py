"""Lanes, their histories, the runner and its worker thread. Qt stays outside.

Four parts make a lane, and `lane.LaneRun` only connects them:

- `problem.Problem` is everything that decides the motion: formulation, method, events, and the segments between these (`schedule`).
  It does not change.
- `stepping.advance` is the only thing that steps. It takes a `SolverState` and gives the next one; it calls the integrator's
`block`, which is `physics.kernels.blocks.fixed_step_block` for fixed steps and is compiled for the types of method and parameters.
- `recorder.Recorder` keeps the `history` and applies events.
- `diagnostics` judges the accuracy of a complete lane; `end_reasons` says why one ended early.

`lane_reader` gives the motion of a lane at its samples (`trajectory`) and between them (`dense_output`). From a script to the first
step: `api.calls.simulate`, `Simulation.complete`, `LaneRun.prepare`, `LaneRun.advance`, `advance`. Live, `Worker` ticks a
`Runner`, which calls the same `LaneRun.advance`.
"""
