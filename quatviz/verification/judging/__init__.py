"""Judgement of a formulation: what is wrong with its equations, in the words of an examiner.

`judge` compares the rates of a formulation with those of the motion at random states, `judgement` is the result,
`mistakes` are known errors, and `subject` evaluates a formulation or a function at a state. Mistakes are identified
by the difference that they make, to rounding. `explanation` describes all other errors. It uses `attitude_errors` for
p', and `rotation_errors`, `inertia_errors` and `load_errors` for omega'. Nothing in the simulation depends on this package.

Terms: the *rates* are p', omega', and the rate of the constraint on p' or g. The *subject* is the formulation
or function that is judged. Its *author's velocity variable* is the variable in which its equations are
written, such as omega or h.
"""
