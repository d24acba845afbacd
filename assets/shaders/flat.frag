void main() { gl_FragColor = vec4(colour1.bgr, alpha); }
