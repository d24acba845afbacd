"""Start page: recent work, lessons and presets, each with its rotating body."""
