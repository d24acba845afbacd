"""What stands in the 3D view, without Qt and OpenGL: items that draw primitives on a stage. Imports feed and look, never ui."""
