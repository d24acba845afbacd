"""Everything about showing a run that needs no Qt: document, view state, display data, panels and 3D items."""
