/* RK4 of a rigid body in plain C, each form by the algebra of ours: what a careful person writes, as the limit to compare with.
 *
 * About principal axes. `heavy` is a constant where a loop is made from a derivative, so that each loop does only what its body
 * needs: as fast as C gets, for less. Each makes `samples` samples of `every` steps of `dt`, and writes each sample into `rows`.
 * A derivative's name and its state are those of the formulation.
 */

#include <math.h>

typedef struct {
    double J[3], Ji[3];       /* principal moments, and one over each */
    double weight, centre[3]; /* [N], down the z axis of space; [m, body] */
    double J0;                /* the free moment of Udwadia and Schutte */
    double axes[9];           /* of the Euler angles, in the order of the rotations */
} Body;

#define INLINE static inline __attribute__((always_inline))
#define DERIVATIVE(name) INLINE void name(const Body *b, int heavy, const double *y, double *d)

INLINE void times(const double *m, const double *v, double *out)
{
    for (int i = 0; i < 3; i++) out[i] = m[i] * v[i];
}

INLINE void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

INLINE double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

INLINE double dot4(const double *a, const double *b) { return dot3(a, b) + a[3] * b[3]; }

/* scale L(p) q, S0(9) */
INLINE void L(double scale, const double *p, const double *q, double *out)
{
    out[0] = scale * (-p[1] * q[0] + p[0] * q[1] + p[3] * q[2] - p[2] * q[3]);
    out[1] = scale * (-p[2] * q[0] - p[3] * q[1] + p[0] * q[2] + p[1] * q[3]);
    out[2] = scale * (-p[3] * q[0] + p[2] * q[1] - p[1] * q[2] + p[0] * q[3]);
}

/* scale L(p)^T v */
INLINE void LT(double scale, const double *p, const double *v, double *out)
{
    out[0] = scale * (-p[1] * v[0] - p[2] * v[1] - p[3] * v[2]);
    out[1] = scale * (p[0] * v[0] - p[3] * v[1] + p[2] * v[2]);
    out[2] = scale * (p[3] * v[0] + p[0] * v[1] - p[1] * v[2]);
    out[3] = scale * (-p[2] * v[0] + p[1] * v[1] + p[0] * v[2]);
}

/* the product of two quaternions */
INLINE void product(const double *p, const double *q, double *out)
{
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    out[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    out[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
    out[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}

/* p of a rotation vector */
INLINE void exponential(const double *theta, double *p)
{
    double square = dot3(theta, theta), scale;
    if (square < 1e-4) {
        scale = 0.5 * (1 - square / 24 * (1 - square / 80));
        p[0] = 1 - square / 8 * (1 - square / 48);
    } else {
        double angle = sqrt(square);
        scale = sin(0.5 * angle) / angle;
        p[0] = cos(0.5 * angle);
    }
    for (int i = 0; i < 3; i++) p[i + 1] = scale * theta[i];
}

/* n += centre x A^T (0, 0, -weight) */
INLINE void add_weight(const Body *b, const double *p, double *n)
{
    double f[3] = {-b->weight * 2 * (p[1] * p[3] - p[0] * p[2]), -b->weight * 2 * (p[2] * p[3] + p[0] * p[1]),
                   -b->weight * (p[0] * p[0] - p[1] * p[1] - p[2] * p[2] + p[3] * p[3])};
    double m[3];
    cross(b->centre, f, m);
    for (int i = 0; i < 3; i++) n[i] += m[i];
}

/* Q += 2 H^T G^T f, and 2 p u^T f besides in the load form `gradient`; S0 section 4 */
INLINE void add_force(const Body *b, int gradient, const double *p, double *Q)
{
    const double *u = b->centre;
    double f = -b->weight;
    double a[4] = {-p[3] * f, -p[2] * f, p[1] * f, p[0] * f}; /* G^T (0, 0, f) */
    double idle = gradient ? 2 * u[2] * f : 0;
    Q[0] += 2 * (u[0] * a[1] + u[1] * a[2] + u[2] * a[3]) + idle * p[0];
    Q[1] += 2 * (-u[0] * a[0] + u[1] * a[3] - u[2] * a[2]) + idle * p[1];
    Q[2] += 2 * (-u[1] * a[0] + u[2] * a[1] - u[0] * a[3]) + idle * p[2];
    Q[3] += 2 * (-u[2] * a[0] + u[0] * a[2] - u[1] * a[1]) + idle * p[3];
}

/* x of m x = right for `size` unknowns and `count` right sides, which stand in the columns behind the matrix and become x */
INLINE void solve(int size, int count, double m[5][7])
{
    for (int column = 0; column < size; column++) {
        int pivot = column;
        for (int row = column + 1; row < size; row++)
            if (fabs(m[row][column]) > fabs(m[pivot][column])) pivot = row;
        if (pivot != column)
            for (int k = column; k < size + count; k++) {
                double kept = m[column][k];
                m[column][k] = m[pivot][k];
                m[pivot][k] = kept;
            }
        double inverse = 1 / m[column][column];
        for (int row = column + 1; row < size; row++) {
            double factor = m[row][column] * inverse;
            for (int k = column + 1; k < size + count; k++) m[row][k] -= factor * m[column][k];
        }
    }
    for (int side = size; side < size + count; side++)
        for (int row = size - 1; row >= 0; row--) {
            for (int k = row + 1; k < size; k++) m[row][side] -= m[row][k] * m[k][side];
            m[row][side] /= m[row][row];
        }
}

/* --- forms with omega or h beside an attitude */

INLINE void omega_rate(const Body *b, int heavy, const double *p, const double *w, double *d)
{
    const double *J = b->J;
    double moment[3] = {(J[1] - J[2]) * w[1] * w[2], (J[2] - J[0]) * w[2] * w[0], (J[0] - J[1]) * w[0] * w[1]};
    if (heavy) add_weight(b, p, moment);
    times(b->Ji, moment, d);
}

DERIVATIVE(newton_euler)
{
    omega_rate(b, heavy, y + 3, y, d);
    LT(0.5, y + 3, y, d + 3);
}

DERIVATIVE(hamilton)
{
    double w[3];
    times(b->Ji, y, w);
    cross(y, w, d);
    if (heavy) add_weight(b, y + 3, d);
    LT(0.5, y + 3, w, d + 3);
}

DERIVATIVE(modified_rodrigues)
{
    const double *w = y, *s = y + 3;
    double square = dot3(s, s), scale = 1 / (1 + square), along = 0.5 * dot3(s, w), turned[3];
    double p[4] = {(1 - square) * scale, 2 * scale * s[0], 2 * scale * s[1], 2 * scale * s[2]};
    omega_rate(b, heavy, p, w, d);
    cross(s, w, turned);
    for (int i = 0; i < 3; i++) d[i + 3] = 0.25 * (1 - square) * w[i] + 0.5 * turned[i] + along * s[i];
    d[6] = 0;
}

/* theta' = omega + theta x omega / 2 + c theta x (theta x omega) */
INLINE void vector_rate(const double *theta, const double *w, double *d)
{
    double square = dot3(theta, theta), c, once[3], twice[3];
    if (square < 1e-2) {
        c = 1.0 / 12 + square / 720 * (1 + square / 42 * (1 + square / 40));
    } else {
        double half = 0.5 * sqrt(square);
        c = (1 - half * cos(half) / sin(half)) / square;
    }
    cross(theta, w, once);
    cross(theta, once, twice);
    for (int i = 0; i < 3; i++) d[i] = w[i] + 0.5 * once[i] + c * twice[i];
}

DERIVATIVE(rotation_vector)
{
    double p[4] = {1, 0, 0, 0};
    if (heavy) exponential(y + 3, p);
    omega_rate(b, heavy, p, y, d);
    vector_rate(y + 3, y, d + 3);
}

DERIVATIVE(lie_group)
{
    double turn[4], p[4] = {1, 0, 0, 0};
    if (heavy) {
        exponential(y + 3, turn);
        product(y + 6, turn, p);
    }
    omega_rate(b, heavy, p, y, d);
    vector_rate(y + 3, y, d + 3);
    for (int i = 6; i < 10; i++) d[i] = 0;
}

DERIVATIVE(hamilton_canonical)
{
    const double *g = y, *p = y + 4;
    double h[3], w[3], rate[4], force[4];
    L(0.5, p, g, h);
    times(b->Ji, h, w);
    LT(0.5, p, w, rate);
    LT(-2, rate, h, force);
    if (heavy) add_force(b, 1, p, force);
    double lambda = dot4(p, force) + dot4(rate, g);
    for (int i = 0; i < 4; i++) d[i] = force[i] - lambda * p[i], d[i + 4] = rate[i];
}

/* --- forms with the state (p, p') */

/* Q less the gyroscopic term: 8 L^T L L'^T J L p' (full) or 8 L'^T J L p' */
INLINE void right_side(const Body *b, int heavy, int full, const double *y, double *right)
{
    double half[3], v[3], q[4], l[3];
    L(1, y, y + 4, half);
    times(b->J, half, v);
    LT(full ? 1 : -8, y + 4, v, full ? q : right);
    if (full) {
        L(1, y, q, l);
        LT(-8, y, l, right);
    }
    if (heavy) add_force(b, 1, y, right);
}

INLINE void closed(const Body *b, const double *y, const double *right, double *d)
{
    double l[3], v[3], along = -dot4(y + 4, y + 4);
    L(1, y, right, l);
    times(b->Ji, l, v);
    LT(0.25, y, v, d + 4);
    for (int i = 0; i < 4; i++) d[i] = y[i + 4], d[i + 4] += y[i] * along;
}

/* 4 L^T J L + free p p^T into the first four rows and columns */
INLINE void mass(const Body *b, double free, const double *p, double m[5][7])
{
    double l[4][3] = {{-p[1], -p[2], -p[3]}, {p[0], -p[3], p[2]}, {p[3], p[0], -p[1]}, {-p[2], p[1], p[0]}};
    for (int k = 0; k < 4; k++) {
        double c[3];
        times(b->J, l[k], c);
        for (int i = 0; i <= k; i++) m[i][k] = m[k][i] = 4 * dot3(l[i], c) + (free ? free * p[i] * p[k] : 0);
    }
}

INLINE void augmented(const Body *b, const double *y, const double *right, double *d)
{
    double m[5][7];
    mass(b, 0, y, m);
    for (int i = 0; i < 4; i++) m[i][4] = m[4][i] = y[i], m[i][5] = right[i];
    m[4][4] = 0, m[4][5] = -dot4(y + 4, y + 4);
    solve(5, 1, m);
    for (int i = 0; i < 4; i++) d[i] = y[i + 4], d[i + 4] = m[i][5];
}

#define MULTIPLIER_FORM(name, full, way)                                                                      \
    DERIVATIVE(name)                                                                                          \
    {                                                                                                         \
        double right[4];                                                                                      \
        right_side(b, heavy, full, y, right);                                                      \
        way(b, y, right, d);                                                                       \
    }

MULTIPLIER_FORM(lagrange_full_gradient, 1, augmented)
MULTIPLIER_FORM(lagrange_full_gradient_closed, 1, closed)
MULTIPLIER_FORM(lagrange_simplified_gradient, 0, augmented)
MULTIPLIER_FORM(lagrange_simplified_gradient_closed, 0, closed)

DERIVATIVE(lagrange_projected)
{
    double half[3], v[3], q[4], l[3], n[3] = {0, 0, 0}, m[5][7];
    L(1, y, y + 4, half);
    times(b->J, half, v);
    LT(1, y + 4, v, q);
    L(-2, y, q, l);
    if (heavy) add_weight(b, y, n);
    double columns[4][3] = {{-y[1], -y[2], -y[3]}, {y[0], -y[3], y[2]}, {y[3], y[0], -y[1]}, {-y[2], y[1], y[0]}};
    for (int k = 0; k < 4; k++) {
        double c[3];
        times(b->J, columns[k], c);
        m[0][k] = c[0], m[1][k] = c[1], m[2][k] = c[2], m[3][k] = y[k];
    }
    for (int i = 0; i < 3; i++) m[i][4] = l[i] + 0.5 * n[i];
    m[3][4] = -dot4(y + 4, y + 4);
    solve(4, 1, m);
    for (int i = 0; i < 4; i++) d[i] = y[i + 4], d[i + 4] = m[i][4];
}

DERIVATIVE(udwadia_schutte)
{
    double w[3], w_rate[3], square = dot4(y + 4, y + 4);
    L(2, y, y + 4, w);
    omega_rate(b, heavy, y, w, w_rate);
    LT(0.5, y, w_rate, d + 4);
    for (int i = 0; i < 4; i++) d[i] = y[i + 4], d[i + 4] -= square * y[i];
}

/* -8 E'^T J4 E u' - 4 J0 N(u') u */
INLINE void impressed(const Body *b, const double *y, double *Q)
{
    double half[3], v[3], along = -8 * b->J0 * dot4(y, y + 4), square = -4 * b->J0 * dot4(y + 4, y + 4);
    L(1, y, y + 4, half);
    times(b->J, half, v);
    LT(-8, y + 4, v, Q);
    for (int i = 0; i < 4; i++) Q[i] += along * y[i + 4] + square * y[i];
}

DERIVATIVE(udwadia_schutte_fundamental_gradient)
{
    double Q[4], m[5][7], free[4], along[4];
    impressed(b, y, Q);
    if (heavy) add_force(b, 1, y, Q);
    mass(b, 4 * b->J0, y, m);
    for (int i = 0; i < 4; i++) m[i][4] = Q[i], m[i][5] = y[i];
    solve(4, 2, m);
    for (int i = 0; i < 4; i++) free[i] = m[i][4], along[i] = m[i][5];
    double coefficient = (-dot4(y + 4, y + 4) - dot4(y, free)) / dot4(y, along);
    for (int i = 0; i < 4; i++) d[i] = y[i + 4], d[i + 4] = free[i] + coefficient * along[i];
}

DERIVATIVE(udwadia_schutte_unconstrained)
{
    double Q[4], m[5][7], n[3] = {0, 0, 0}, force[4];
    impressed(b, y, Q);
    if (heavy) {
        add_weight(b, y, n);
        LT(2, y, n, force);
        for (int i = 0; i < 4; i++) Q[i] += force[i];
    }
    mass(b, 4 * b->J0, y, m);
    for (int i = 0; i < 4; i++) m[i][4] = Q[i];
    solve(4, 1, m);
    for (int i = 0; i < 4; i++) d[i] = y[i + 4], d[i + 4] = m[i][4];
}

/* --- three coordinates */

/* q'' of S^T J S q'' = S^T moment for the columns s of S */
INLINE void acceleration(const Body *b, double s[3][3], const double *moment, double *out)
{
    double m[5][7];
    for (int k = 0; k < 3; k++) {
        double c[3];
        times(b->J, s[k], c);
        for (int i = 0; i <= k; i++) m[i][k] = m[k][i] = dot3(s[i], c);
        m[k][3] = dot3(s[k], moment);
    }
    solve(3, 1, m);
    for (int i = 0; i < 3; i++) out[i] = m[i][3];
}

/* the product of p with the rotation by `angle` about a unit axis */
INLINE void turn(double angle, const double *axis, double *p)
{
    double c = cos(0.5 * angle), s = sin(0.5 * angle), q[4] = {c, s * axis[0], s * axis[1], s * axis[2]}, old[4];
    for (int i = 0; i < 4; i++) old[i] = p[i];
    product(old, q, p);
}

/* a c + (b x a) s turns a about a unit axis b that is square to it; `along` b nothing changes */
INLINE void turned_back(double angle, const double *axis, const double *a, double *out)
{
    double c = cos(angle), s = sin(angle), v[3], along = (1 - c) * dot3(axis, a);
    cross(axis, a, v);
    for (int i = 0; i < 3; i++) out[i] = c * a[i] - s * v[i] + along * axis[i];
}

DERIVATIVE(euler_angles)
{
    const double *a1 = b->axes, *a2 = b->axes + 3, *a3 = b->axes + 6, *q = y + 3;
    double half_way[3], s[3][3], w[3], h[3], moment[3], carried[3], first[3], second[3], drift[3], lost[3];
    turned_back(y[1], a2, a1, half_way);
    turned_back(y[2], a3, half_way, s[0]);
    turned_back(y[2], a3, a2, s[1]);
    for (int i = 0; i < 3; i++) s[2][i] = a3[i];
    for (int i = 0; i < 3; i++) w[i] = q[0] * s[0][i] + q[1] * s[1][i] + q[2] * s[2][i];
    for (int i = 0; i < 3; i++) carried[i] = q[1] * s[1][i] + q[2] * s[2][i];
    cross(s[0], carried, first);
    cross(s[1], s[2], second);
    for (int i = 0; i < 3; i++) drift[i] = q[0] * first[i] + q[1] * q[2] * second[i];
    times(b->J, w, h);
    cross(h, w, moment);
    times(b->J, drift, lost);
    for (int i = 0; i < 3; i++) moment[i] -= lost[i];
    if (heavy) {
        double p[4] = {1, 0, 0, 0};
        turn(y[0], a1, p), turn(y[1], a2, p), turn(y[2], a3, p);
        add_weight(b, p, moment);
    }
    for (int i = 0; i < 3; i++) d[i] = q[i];
    acceleration(b, s, moment, d + 3);
}

DERIVATIVE(reduced_euler_parameters)
{
    const double *q = y, *rate = y + 3;
    double q1 = sqrt(1 - dot3(q, q)), p[4] = {q1, q[0], q[1], q[2]}, s[3][3], w[3], h[3], moment[3], drift[3];
    for (int k = 0; k < 3; k++) {
        double axis[3] = {k == 0, k == 1, k == 2}, turned[3];
        cross(q, axis, turned);
        for (int i = 0; i < 3; i++) s[k][i] = 2 * (q1 * axis[i] - turned[i] + q[i] * q[k] / q1);
    }
    double q1_rate = -dot3(q, rate) / q1, factor = 2 * (dot3(rate, rate) + q1_rate * q1_rate) / q1;
    for (int i = 0; i < 3; i++) w[i] = rate[0] * s[0][i] + rate[1] * s[1][i] + rate[2] * s[2][i];
    times(b->J, w, h);
    cross(h, w, moment);
    times(b->J, q, drift);
    for (int i = 0; i < 3; i++) moment[i] -= factor * drift[i];
    if (heavy) add_weight(b, p, moment);
    for (int i = 0; i < 3; i++) d[i] = rate[i];
    acceleration(b, s, moment, d + 3);
}

/* --- the loops */

/* the coordinates that a form steps in are changed after each step, as the formulations do */
#define KEEP(y)
#define SHADOW(y)                                                                                             \
    if (dot3(y + 3, y + 3) > 1) {                                                                             \
        double scale = -1 / dot3(y + 3, y + 3);                                                               \
        for (int i = 3; i < 6; i++) y[i] *= scale;                                                            \
        y[6] = -y[6];                                                                                         \
    }
#define REBASE(y)                                                                                             \
    {                                                                                                         \
        double turn[4], p[4] = {y[6], y[7], y[8], y[9]};                                                      \
        exponential(y + 3, turn);                                                                             \
        product(p, turn, y + 6);                                                                              \
        for (int i = 3; i < 6; i++) y[i] = 0;                                                                 \
    }

#define LOOP(name, size, chart, suffix, heavy)                                                     \
    void rk4_##name##suffix(const Body *body, double *state, double dt, long samples, long every, double *rows) \
    {                                                                                                         \
        Body b = *body;                                                                                       \
        double y[size], k1[size], k2[size], k3[size], k4[size], z[size];                                      \
        for (int i = 0; i < size; i++) y[i] = state[i];                                                       \
        for (long sample = 0; sample < samples; sample++) {                                                   \
            for (long step = 0; step < every; step++) {                                                       \
                name(&b, heavy, y, k1);                                                            \
                for (int i = 0; i < size; i++) z[i] = y[i] + 0.5 * dt * k1[i];                                \
                name(&b, heavy, z, k2);                                                            \
                for (int i = 0; i < size; i++) z[i] = y[i] + 0.5 * dt * k2[i];                                \
                name(&b, heavy, z, k3);                                                            \
                for (int i = 0; i < size; i++) z[i] = y[i] + dt * k3[i];                                      \
                name(&b, heavy, z, k4);                                                            \
                for (int i = 0; i < size; i++) y[i] += dt / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);        \
                chart(y)                                                                                      \
            }                                                                                                 \
            for (int i = 0; i < size; i++) rows[size * sample + i] = y[i];                                    \
        }                                                                                                     \
        for (int i = 0; i < size; i++) state[i] = y[i];                                                       \
    }

#define RK4(name, size, chart)                                                                                \
    LOOP(name, size, chart, _free, 0)                                                                         \
    LOOP(name, size, chart, _heavy, 1)

RK4(newton_euler, 7, KEEP)
RK4(hamilton, 7, KEEP)
RK4(hamilton_canonical, 8, KEEP)
RK4(lagrange_full_gradient, 8, KEEP)
RK4(lagrange_full_gradient_closed, 8, KEEP)
RK4(lagrange_simplified_gradient, 8, KEEP)
RK4(lagrange_simplified_gradient_closed, 8, KEEP)
RK4(lagrange_projected, 8, KEEP)
RK4(udwadia_schutte, 8, KEEP)
RK4(udwadia_schutte_fundamental_gradient, 8, KEEP)
RK4(udwadia_schutte_unconstrained, 8, KEEP)
RK4(euler_angles, 6, KEEP)
RK4(reduced_euler_parameters, 6, KEEP)
RK4(lie_group, 10, REBASE)
RK4(rotation_vector, 6, KEEP)
RK4(modified_rodrigues, 7, SHADOW)
