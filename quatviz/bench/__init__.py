"""Speed, measured as ratios within one run: the engine against C and NumPy, the window against its frame rate."""
