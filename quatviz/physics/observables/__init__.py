"""Observables of a motion: its quantities, the theory of the multiplier, published values, recordings and
interpolation."""
