"""The plot board: panels with curves over time, globes and painted content."""
