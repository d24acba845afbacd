"""What every part of the window is made of: guarded virtuals, widgets, fields, type, painting. Knows no run."""
