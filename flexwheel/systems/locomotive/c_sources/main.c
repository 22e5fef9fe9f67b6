/* Runs the reference trajectory and compares; exit code 0 when it is reproduced.

   Both programs do the same operations, but their compilers and libraries round sin, exp and the like differently. The
   tolerance is what that may come to: SHORT for the roundings of a step, which contact and suspension damp out, and for
   the sums that nothing damps (way, angle of rotation) half a unit in the last place of their largest value in each step. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include "locomotive.h"
#include "reference.h"

#define SHORT 1e-10

int main(void)
{
    static double w[WORK], largest[2 * N];
    double worst = 0.0, excess = 0.0;
    for (int i = 0; i < WORK; ++i) w[i] = initial_work[i];
    for (int step = 0; step < REFERENCE_STEPS; ++step) {
        int wheel, status = locomotive_step(w, &wheel);
        if (status != GOOD) {
            printf("step %d: status %d at wheel %d\n", step, status, wheel);
            return 2;
        }
        if ((step + 1) % REFERENCE_EVERY) continue;
        const double *row = reference + (step + 1) / REFERENCE_EVERY * 2 * N - 2 * N;
        for (int i = 0; i < 2 * N; ++i) {
            double off = fabs((i < N ? w[AT_q + i] : w[AT_qd + i - N]) - row[i]);
            largest[i] = fmax(largest[i], fabs(row[i]));
            double tolerance = SHORT + 0.5 * DBL_EPSILON * largest[i] * (step + 1);
            worst = fmax(worst, off);
            if (!(off <= excess * tolerance)) excess = off / tolerance; /* not a number stays */
        }
    }
    printf("largest difference after %d steps: %.3g, at most %.3g of its tolerance\n", REFERENCE_STEPS, worst, excess);
    return excess <= 1.0 ? 0 : 1;
}
