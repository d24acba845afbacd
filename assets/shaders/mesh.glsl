#version 120
uniform vec4 u_mesh[8];  // three rows of the matrix to the eye, three of that of normals, two colours
#define colour1 u_mesh[6].rgb
#define colour2 u_mesh[7].rgb
#define alpha u_mesh[6].a
