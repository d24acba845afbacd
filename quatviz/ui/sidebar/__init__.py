"""Side column: preset, lanes, description, set-up and numbers at the cursor."""
