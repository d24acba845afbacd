"""The 3D views as widgets: cameras that the mouse moves, OpenGL or lines, words over the picture. Items
are in `quatviz/ui/scene`.
"""
