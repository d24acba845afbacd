"""A random user of the real window: whether it stays as it is for as long as one likes."""
