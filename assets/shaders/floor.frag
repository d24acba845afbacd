varying vec3 v_own;
void main() {
  vec2 near = abs(fract(v_own.xy + 0.5) - 0.5) / max(fwidth(v_own.xy), vec2(1e-5));
  float line = 1.0 - min(min(near.x, near.y), 1.0);
  float away = 1.0 - smoothstep(2.0, 7.0, length(v_own.xy));
  gl_FragColor = vec4(colour1.bgr, alpha * line * away);
}
