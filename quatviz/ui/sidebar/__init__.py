"""The side column of the window: preset, lanes, description, set-up and numbers at the cursor."""
