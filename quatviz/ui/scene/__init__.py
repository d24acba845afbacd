"""The 3D views as widgets: cameras moved by the mouse, drawing with OpenGL or QPainter, and text over the picture."""
