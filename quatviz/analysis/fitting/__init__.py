"""A body found from its motion: inertia, start and what a sensor adds, by least squares on the engine that computes lanes.

`fit.fit_body` does it, from plain arrays, and `fit.FitJob` beside whoever asks; `result.BodyFit` is what is found, with a preset
to run, `tables` says it in rows. `stretch` finds the free flight, `data` checks and calms what is fitted to, `noise` knows how
large and how white noise is; `search` goes from `start`'s guess to the body by the motions of `flight`, in the numbers of
`unknowns`. No window here, and no clock.
"""
