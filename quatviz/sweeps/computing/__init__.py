"""How runs of a chunk are computed: those of one kind side by side, in one compiled loop, others each by its lane."""
