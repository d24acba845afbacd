#version 120
varying vec3 v_colour;
void main() { gl_FragColor = vec4(v_colour.bgr, 1.0); }
