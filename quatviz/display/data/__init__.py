"""Display data of the current run: one frame per tick, and lazily computed curves reduced to screen resolution."""
