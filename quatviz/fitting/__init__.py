"""A body found from its motion: inertia, start and what a sensor adds, by least squares on the engine that computes lanes.

`fit.fit_body` does it, from plain arrays; `result.BodyFit` is what it finds, with a preset to run. `flight` computes motions,
`start` guesses from conserved momentum, `unknowns` says which numbers are sought. No file and no window here, and no clock.
"""
