"""The plot board. Its panels show curves over time, globes, or painted content such as tables."""
