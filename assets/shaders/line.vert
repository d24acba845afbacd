#version 120
uniform mat4 u_clip; uniform vec2 u_size;  // from space
attribute vec3 a_position; attribute vec3 a_before; attribute vec3 a_after; attribute vec2 a_side; attribute vec4 a_ink;
varying float v_across; varying float v_width; varying vec4 v_colour;
void main() {
  vec4 c = u_clip * vec4(a_position, 1.0), b = u_clip * vec4(a_before, 1.0), a = u_clip * vec4(a_after, 1.0);
  vec2 d = (a.xy / a.w - b.xy / b.w) * u_size;
  d = length(d) > 1e-5 ? normalize(d) : vec2(1.0, 0.0);
  float half_width = 0.5 * a_ink.a + 0.75;
  c.xy += vec2(d.y, -d.x) * a_side.x * half_width * 2.0 / u_size * c.w;
  v_across = a_side.x * half_width; v_width = a_ink.a; v_colour = vec4(a_ink.rgb, a_side.y);
  gl_Position = c;
}
