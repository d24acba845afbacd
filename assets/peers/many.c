/* RK4 of many free bodies about principal axes, and how often each flips: as `rk4.c`, eight bodies in one register.
 *
 * What a careful person writes, as the limit of a sweep. Numbers of neighbours stand beside each other: w1 of all bodies, then w2 ...
 */

#include <string.h>

enum { WIDTH = 8 };
typedef double Pack __attribute__((vector_size(WIDTH * sizeof(double))));
typedef long Mask __attribute__((vector_size(WIDTH * sizeof(long))));

#define INLINE static inline __attribute__((always_inline))

INLINE Pack load(const double *from)
{
    Pack pack;
    memcpy(&pack, from, sizeof pack);
    return pack;
}

/* y' of (omega, p) */
INLINE void derivative(const double *J, const double *Ji, const Pack *y, Pack *d)
{
    const Pack *w = y, *p = y + 3;
    d[0] = Ji[0] * ((J[1] - J[2]) * w[1] * w[2]);
    d[1] = Ji[1] * ((J[2] - J[0]) * w[2] * w[0]);
    d[2] = Ji[2] * ((J[0] - J[1]) * w[0] * w[1]);
    Pack half[3] = {0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
    d[3] = -p[1] * half[0] - p[2] * half[1] - p[3] * half[2];
    d[4] = p[0] * half[0] - p[3] * half[1] + p[2] * half[2];
    d[5] = p[3] * half[0] + p[0] * half[1] - p[1] * half[2];
    d[6] = -p[2] * half[0] + p[1] * half[1] + p[0] * half[2];
}

INLINE void step(const double *J, const double *Ji, double dt, Pack *y)
{
    Pack k1[7], k2[7], k3[7], k4[7], at[7];
    derivative(J, Ji, y, k1);
    for (int i = 0; i < 7; i++) at[i] = y[i] + 0.5 * dt * k1[i];
    derivative(J, Ji, at, k2);
    for (int i = 0; i < 7; i++) at[i] = y[i] + 0.5 * dt * k2[i];
    derivative(J, Ji, at, k3);
    for (int i = 0; i < 7; i++) at[i] = y[i] + dt * k3[i];
    derivative(J, Ji, at, k4);
    for (int i = 0; i < 7; i++) y[i] += dt / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
}

/* `states` (7, bodies) are advanced by `samples` samples of `every` steps; `flips` counts changes of sign of omega[axis] from
 * sample to sample. `bodies` is a multiple of eight. */
void flips_of_many(const double *J, long bodies, long samples, long every, double dt, int axis, double *states, double *flips)
{
    double Ji[3] = {1 / J[0], 1 / J[1], 1 / J[2]};
    for (long first = 0; first < bodies; first += WIDTH) {
        Pack y[7];
        for (int i = 0; i < 7; i++) y[i] = load(states + i * bodies + first);
        Mask count = {0}, below = y[axis] < 0;
        for (long sample = 0; sample < samples; sample++) {
            for (long number = 0; number < every; number++) step(J, Ji, dt, y);
            Mask now = y[axis] < 0;
            count -= now ^ below;
            below = now;
        }
        for (int i = 0; i < 7; i++) memcpy(states + i * bodies + first, &y[i], sizeof(Pack));
        for (int k = 0; k < WIDTH; k++) flips[first + k] = (double)count[k];
    }
}
