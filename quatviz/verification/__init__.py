"""Comparison of all published tables, identities and reference states with what the program computes."""
