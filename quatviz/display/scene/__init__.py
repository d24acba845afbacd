"""The 3D scene without Qt and OpenGL: items that draw primitives on a stage. It imports display data and view state,
never ui."""
