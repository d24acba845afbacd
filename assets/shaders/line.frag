#version 120
varying float v_across; varying float v_width; varying vec4 v_colour;
void main() {
  float edge = clamp(0.5 * v_width + 0.5 - abs(v_across), 0.0, 1.0);
  gl_FragColor = vec4(v_colour.bgr, edge * v_colour.a);
}
