/* RK4 of a torque-free rigid body in plain C: what a careful person writes, as the limit to compare with.
 *
 * J and Ji are row-major 3x3 matrices. State of newton_euler: omega (3), p (4); of hamilton: h (3), p (4).
 * Each loop makes `samples` samples of `every` steps of `dt`, and writes each sample into `rows`.
 * The principal versions use the diagonal only: as fast as C gets, for less.
 */

static inline void kinematics(const double *w, const double *p, double *d)
{
    d[0] = 0.5 * (-p[1] * w[0] - p[2] * w[1] - p[3] * w[2]);
    d[1] = 0.5 * (p[0] * w[0] - p[3] * w[1] + p[2] * w[2]);
    d[2] = 0.5 * (p[3] * w[0] + p[0] * w[1] - p[1] * w[2]);
    d[3] = 0.5 * (-p[2] * w[0] + p[1] * w[1] + p[0] * w[2]);
}

static inline void multiply(const double *m, const double *v, double *out)
{
    out[0] = m[0] * v[0] + m[1] * v[1] + m[2] * v[2];
    out[1] = m[3] * v[0] + m[4] * v[1] + m[5] * v[2];
    out[2] = m[6] * v[0] + m[7] * v[1] + m[8] * v[2];
}

static inline void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void newton_euler(const double *J, const double *Ji, const double *y, double *d)
{
    double h[3], moment[3];
    multiply(J, y, h);
    cross(h, y, moment);
    multiply(Ji, moment, d);
    kinematics(y, y + 3, d + 3);
}

static inline void hamilton(const double *J, const double *Ji, const double *y, double *d)
{
    double w[3];
    (void)J;
    multiply(Ji, y, w);
    cross(y, w, d);
    kinematics(w, y + 3, d + 3);
}

static inline void newton_euler_principal(const double *J, const double *Ji, const double *y, double *d)
{
    d[0] = (J[4] - J[8]) * y[1] * y[2] * Ji[0];
    d[1] = (J[8] - J[0]) * y[2] * y[0] * Ji[4];
    d[2] = (J[0] - J[4]) * y[0] * y[1] * Ji[8];
    kinematics(y, y + 3, d + 3);
}

static inline void hamilton_principal(const double *J, const double *Ji, const double *y, double *d)
{
    double w[3] = {Ji[0] * y[0], Ji[4] * y[1], Ji[8] * y[2]};
    (void)J;
    cross(y, w, d);
    kinematics(w, y + 3, d + 3);
}

#define RK4(name, rhs)                                                                                        \
    void rk4_##name(const double *J, const double *Ji, double *y, double dt, long samples, long every,        \
                    double *rows)                                                                             \
    {                                                                                                         \
        double k1[7], k2[7], k3[7], k4[7], z[7];                                                              \
        for (long sample = 0; sample < samples; sample++) {                                                   \
            for (long step = 0; step < every; step++) {                                                       \
                rhs(J, Ji, y, k1);                                                                            \
                for (int i = 0; i < 7; i++) z[i] = y[i] + 0.5 * dt * k1[i];                                   \
                rhs(J, Ji, z, k2);                                                                            \
                for (int i = 0; i < 7; i++) z[i] = y[i] + 0.5 * dt * k2[i];                                   \
                rhs(J, Ji, z, k3);                                                                            \
                for (int i = 0; i < 7; i++) z[i] = y[i] + dt * k3[i];                                         \
                rhs(J, Ji, z, k4);                                                                            \
                for (int i = 0; i < 7; i++) y[i] += dt / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);           \
            }                                                                                                 \
            for (int i = 0; i < 7; i++) rows[7 * sample + i] = y[i];                                          \
        }                                                                                                     \
    }

RK4(newton_euler, newton_euler)
RK4(hamilton, hamilton)
RK4(newton_euler_principal, newton_euler_principal)
RK4(hamilton_principal, hamilton_principal)
