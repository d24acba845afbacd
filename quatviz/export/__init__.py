"""Tables of a run. Figures and films come here too."""
