"""The 3D scene without Qt and OpenGL: items that draw primitives on a stage. It imports display data and view state,
never ui.

Terms: the *solid* lane is the lane that is drawn as the body, and *ghosts* are the translucent bodies of
other lanes. Lengths are given in *body radii*: the largest half-extent of the body is 1.
"""
