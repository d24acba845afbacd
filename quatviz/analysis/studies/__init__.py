"""Studies: one motion in many lanes, methods and steps; how far each is off, and what it costs."""
