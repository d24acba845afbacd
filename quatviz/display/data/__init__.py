"""What there is to show now: one frame a tick, and columns of rows for curves, reduced to what a pixel can show. No Qt."""
