"""Estimation of a body from its motion: inertia, initial conditions and sensor errors, by nonlinear least squares.

`fit.fit_body` fits plain arrays, and `fit.FitJob` does so in a worker; `result.BodyFit` is the result, which includes
a preset to run, and `tables` formats it. `free_flight` detects the free flight in a recording, `data` checks and
cleans the data, and `noise` estimates the level and the whiteness of noise. `search` improves the `initial_guess`
with the motions of `flight`, in the coordinates of `fit_parameters`. Nothing here depends on a window or a clock.

Terms: *rates* are recorded angular velocities. A *seed* is a short part of a recording in which the search
for the free flight begins. A *stage* of the search is a fit of the first rows of the flight.
"""
