"""Equation cards: the equations of a lane, typeset, with the present numbers of every term."""
