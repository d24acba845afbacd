"""Tables of a run, in every format. Figures and films come here too."""
