"""Judgement of a formulation: what is wrong with its equations, in the words of an examiner.

`judge` compares the rates of a formulation with those of the motion at random states, `judgement` is the result,
`mistakes` are known errors, and `subject` evaluates a formulation or a function at a state. Mistakes are identified
by the difference that they make, to rounding. Nothing in the simulation depends on this package.
"""
