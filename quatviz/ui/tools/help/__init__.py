"""The help in the window: pages, search, links that lead to them, and the tour of the first start."""
