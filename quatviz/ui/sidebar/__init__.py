"""The column at the left: presets, lanes, set-up, experiment, numbers at the cursor."""
