"""Pictures of the program itself, for films and stills: of its 3D views, or of its window."""
