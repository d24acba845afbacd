uniform mat4 u_clip;  // from the eye
attribute vec3 a_position; attribute vec3 a_normal;
varying vec3 v_own; varying vec3 v_normal; varying vec3 v_eye;
void main() {
  vec4 own = vec4(a_position, 1.0);
  vec4 eye = vec4(dot(u_mesh[0], own), dot(u_mesh[1], own), dot(u_mesh[2], own), 1.0);
  v_own = a_position; v_eye = eye.xyz;
  v_normal = vec3(dot(u_mesh[3].xyz, a_normal), dot(u_mesh[4].xyz, a_normal), dot(u_mesh[5].xyz, a_normal));
  gl_Position = u_clip * eye;
}
