#version 120
uniform vec3 u_top; uniform vec3 u_bottom; attribute vec3 a_position; varying vec3 v_colour;
void main() {
  v_colour = mix(u_top, u_bottom, a_position.y * 0.5 + 0.5);
  gl_Position = vec4(a_position.xy, 0.99999, 1.0);
}
