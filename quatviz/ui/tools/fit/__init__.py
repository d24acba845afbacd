"""Fit the body: what is chosen, the stretch that is free, the numbers that were found, and what they leave over."""
