"""GLSL 1.20, which every desktop OpenGL since 2.1 takes. Pictures are drawn upside down, and blue where OpenGL has red: so they
lie in memory as Qt has its own."""

SKY_VERTEX = """#version 120
uniform vec3 u_top; uniform vec3 u_bottom; attribute vec3 a_position; varying vec3 v_colour;
void main() {
  v_colour = mix(u_top, u_bottom, a_position.y * 0.5 + 0.5);
  gl_Position = vec4(a_position.xy, 0.99999, 1.0);
}
"""

SKY_FRAGMENT = """#version 120
varying vec3 v_colour;
void main() { gl_FragColor = vec4(v_colour.bgr, 1.0); }
"""

_MESH = """#version 120
uniform vec4 u_mesh[8];  // three rows of the matrix to the eye, three of that of normals, two colours
#define colour1 u_mesh[6].rgb
#define colour2 u_mesh[7].rgb
#define alpha u_mesh[6].a
"""

MESH_VERTEX = (
    _MESH
    + """uniform mat4 u_clip;  // from the eye
attribute vec3 a_position; attribute vec3 a_normal;
varying vec3 v_own; varying vec3 v_normal; varying vec3 v_eye;
void main() {
  vec4 own = vec4(a_position, 1.0);
  vec4 eye = vec4(dot(u_mesh[0], own), dot(u_mesh[1], own), dot(u_mesh[2], own), 1.0);
  v_own = a_position; v_eye = eye.xyz;
  v_normal = vec3(dot(u_mesh[3].xyz, a_normal), dot(u_mesh[4].xyz, a_normal), dot(u_mesh[5].xyz, a_normal));
  gl_Position = u_clip * eye;
}
"""
)

_LIT = (
    _MESH
    + """varying vec3 v_own; varying vec3 v_normal; varying vec3 v_eye;
const vec3 key = normalize(vec3(0.40, 0.75, 0.60)); const vec3 fill = normalize(vec3(-0.75, 0.10, 0.40));
void main() {
  vec3 n = normalize(v_normal), e = normalize(-v_eye);
  if (dot(n, e) < 0.0) n = -n;
  vec3 base = %s;  // linear
  float lit = max(dot(n, key), 0.0), soft = max(dot(n, fill), 0.0);
  float near = max(dot(n, normalize(key + e)), 0.0), near2 = near * near, near4 = near2 * near2;
  float near16 = near4 * near4 * near4 * near4, shine = near16 * near16 * near16 * near2 * 0.30;  // the 50th power
  float away = 1.0 - max(dot(n, e), 0.0);
  float rim = away * away * away * 0.12;
  vec3 ambient = mix(vec3(0.13, 0.13, 0.15), vec3(0.30, 0.32, 0.37), 0.5 + 0.5 * n.y);
  vec3 colour = base * (ambient + vec3(1.0, 0.97, 0.92) * lit * 0.85 + vec3(0.4, 0.48, 0.6) * soft * 0.35)
              + vec3(shine + rim);
  gl_FragColor = vec4(sqrt(min(colour.bgr, vec3(1.0))), alpha);  // a gamma of 2, for speed
}
"""
)

SOLID_FRAGMENT = _LIT % "colour1"

PAINTED_FRAGMENT = (
    _LIT.replace(
        "void main() {",
        """float octant(vec3 own) {  // two tones, blended over the width of a pixel
  vec3 side = clamp(own / max(fwidth(own), vec3(1e-5)), -1.0, 1.0);
  return 0.5 + 0.5 * side.x * side.y * side.z;
}
void main() {""",
    )
    % "mix(colour1, colour2, octant(v_own))"
)

GLASS_FRAGMENT = (
    _MESH
    + """varying vec3 v_normal; varying vec3 v_eye;
void main() {
  float facing = abs(dot(v_normal, v_eye)) * inversesqrt(dot(v_normal, v_normal) * dot(v_eye, v_eye));
  float away = 1.0 - facing;
  float rim = away * away * away;
  gl_FragColor = vec4(colour1.bgr, alpha * (0.06 + 0.94 * rim));
}
"""
)

FLOOR_FRAGMENT = (
    _MESH
    + """varying vec3 v_own;
void main() {
  vec2 near = abs(fract(v_own.xy + 0.5) - 0.5) / max(fwidth(v_own.xy), vec2(1e-5));
  float line = 1.0 - min(min(near.x, near.y), 1.0);
  float away = 1.0 - smoothstep(2.0, 7.0, length(v_own.xy));
  gl_FragColor = vec4(colour1.bgr, alpha * line * away);
}
"""
)

FLAT_FRAGMENT = (
    _MESH
    + """void main() { gl_FragColor = vec4(colour1.bgr, alpha); }
"""
)

LINE_VERTEX = """#version 120
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
"""

LINE_FRAGMENT = """#version 120
varying float v_across; varying float v_width; varying vec4 v_colour;
void main() {
  float edge = clamp(0.5 * v_width + 0.5 - abs(v_across), 0.0, 1.0);
  gl_FragColor = vec4(v_colour.bgr, edge * v_colour.a);
}
"""
