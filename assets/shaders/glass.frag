varying vec3 v_normal; varying vec3 v_eye;
void main() {
  float facing = abs(dot(v_normal, v_eye)) * inversesqrt(dot(v_normal, v_normal) * dot(v_eye, v_eye));
  float away = 1.0 - facing;
  float rim = away * away * away;
  gl_FragColor = vec4(colour1.bgr, alpha * (0.06 + 0.94 * rim));
}
