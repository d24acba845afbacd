varying vec3 v_own; varying vec3 v_normal; varying vec3 v_eye;
const vec3 key = normalize(vec3(0.40, 0.75, 0.60)); const vec3 fill = normalize(vec3(-0.75, 0.10, 0.40));
#ifdef PAINTED
vec3 tone(vec3 own) {  // two tones by octants, blended over the width of a pixel
  vec3 side = clamp(own / max(fwidth(own), vec3(1e-5)), -1.0, 1.0);
  return mix(colour1, colour2, 0.5 + 0.5 * side.x * side.y * side.z);
}
#else
vec3 tone(vec3 own) { return colour1; }
#endif
void main() {
  vec3 n = normalize(v_normal), e = normalize(-v_eye);
  if (dot(n, e) < 0.0) n = -n;
  vec3 base = tone(v_own);  // linear
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
