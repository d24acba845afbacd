"""What is wrong with a formulation, as a good examiner would say it: `judge` looks, `judgement` is what it says, and `mistakes` are
those that are known, each in one place. `subject` reads the rates of a form, or of a function, at a state.

Nothing here is asked by what computes: a mistake is told by the difference that it makes at random states, to rounding.
"""
