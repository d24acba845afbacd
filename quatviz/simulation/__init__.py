"""Lanes, their histories, the runner and its worker thread. Qt stays outside.

From a script to the first kernel call: `scripting.simulate`, `Simulation.complete`, `LaneRun.prepare`, the integrator's `block`
(`physics.kernels.blocks.fixed_step_block`), which is compiled for the types of its method and its parameters. Then
`LaneRun.advance` calls it for one stretch after the other between two events. Live, `Worker` ticks a `Runner`, which calls the
same `advance`.

What a lane is: `lane_settings` (what it may set), `schedule` (its stretches between events), `lane` (its state as it goes
on), `history` (what was recorded), `trajectory` (what that means).
"""
