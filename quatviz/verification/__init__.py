"""Comparison of all published tables, identities and reference states with what the program computes.

S0 to S4 are the source documents; the help page *Sources* lists them. "S0(34)" is equation 34 of S0. A
*check* compares one computed value with its reference.
"""
