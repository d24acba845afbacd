"""Observables of a motion: its quantities, the theory of the multiplier, published values, recordings and interpolation.

Terms: a *quantity* is a number or vector that follows from a motion at each time, such as the kinetic energy. A
*drift* is the deviation of a conserved quantity from its value at the start. A *recording* is a motion that was
measured or computed by another program.
"""
