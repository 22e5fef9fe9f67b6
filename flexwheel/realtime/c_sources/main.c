/* Runs the reference trajectory and compares; exit code 0 when it is reproduced. */
#include <math.h>
#include <stdio.h>
#include "locomotive.h"
#include "reference.h"

int main(void)
{
    static double w[WORK];
    double worst = 0.0;
    for (int i = 0; i < WORK; ++i) w[i] = initial_work[i];
    for (int step = 0; step < REFERENCE_STEPS; ++step) {
        int wheel, status = locomotive_step(w, &wheel);
        if (status != GOOD) {
            printf("step %d: status %d at wheel %d\n", step, status, wheel);
            return 2;
        }
        if ((step + 1) % REFERENCE_EVERY) continue;
        const double *row = reference + (step + 1) / REFERENCE_EVERY * 2 * N - 2 * N;
        for (int i = 0; i < N; ++i) {
            worst = fmax(worst, fabs(w[AT_q + i] - row[i]));
            worst = fmax(worst, fabs(w[AT_qd + i] - row[N + i]));
        }
    }
    printf("largest difference after %d steps: %.3g\n", REFERENCE_STEPS, worst);
    return worst <= 1e-10 ? 0 : 1;
}
