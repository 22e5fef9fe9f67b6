/* One time step of the locomotive: look-ups, contact law, projections. Same order of operations as the
 * generated kernels' reference; compile without contraction of multiplications and additions to reproduce it. */
#include <math.h>
#include <string.h>
#include "locomotive.h"
#include "kernels.h"

static int piece(const double *knots, int count, double u)
{
    int low = 0, high = count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (u >= knots[middle]) low = middle; else high = middle;
    }
    return low;
}

static void look_up(double *w, int strict, int status[2])
{
    for (int lane = 0; lane < 8; ++lane) {
        int side = lane & 1, k;
        double u = w[AT_surface + 8 + lane], s = w[AT_surface + 16 + lane], v = w[AT_surface + 24 + lane];
        const double *wheel = wheel_knots + side * WHEEL_KNOTS, *rail = rail_knots + side * RAIL_KNOTS;
        if (strict && !(wheel[0] <= u && u <= wheel[WHEEL_KNOTS - 1])) { status[0] = LEFT_PROFILE; status[1] = lane; }
        if (strict && !(rail[0] <= v && v <= rail[RAIL_KNOTS - 1])) { status[0] = LEFT_PROFILE; status[1] = lane; }
        double *place = w + AT_spline + lane;
        k = piece(wheel, WHEEL_KNOTS, u);
        for (int c = 0; c < 4; ++c) place[8 * c] = wheel_pieces[(side * (WHEEL_KNOTS - 1) + k) * 4 + c];
        place[32] = wheel[k];
        k = piece(rail, RAIL_KNOTS, v);
        for (int c = 0; c < 4; ++c) place[40 + 8 * c] = rail_pieces[(side * (RAIL_KNOTS - 1) + k) * 4 + c];
        place[72] = rail[k];
        double position = (s - TRACK_START) / TRACK_SPACING;
        if (!(0.0 <= position && position < TRACK_PIECES)) { status[0] = LEFT_TRACK; status[1] = lane; position = 0.0; }
        k = (int)position;
        const double *track = track_pieces + (side * TRACK_PIECES + k) * 16;
        for (int curve = 0; curve < 4; ++curve)
            for (int c = 0; c < 4; ++c) place[80 + 40 * curve + 8 * c] = track[4 * curve + c];
        place[112] = TRACK_START + k * TRACK_SPACING;
    }
}

static void creep_coefficients(double *w, double scale)
{
    const int last = TABLE_ROWS - 1;
    for (int lane = 0; lane < 8; ++lane) {
        double along = 0.5 * w[AT_curvature + lane];
        double across = 0.5 * (w[AT_curvature + 8 + lane] + w[AT_curvature + 16 + lane]);
        if (across < 1e-3 * along) across = 1e-3 * along;
        double t = (along - across) / (along + across);
        double x = fmin(fmax((t + T_LIMIT) / (2.0 * T_LIMIT), 0.0), 1.0) * last;
        int k = (int)x < last - 1 ? (int)x : last - 1;
        x -= k;
        double normal = w[AT_normal_force + lane];
        double size = cbrt(COMPLIANCE * normal / (along + across)), h[6];
        const double *row = hertz_kalker + 6 * k;
        for (int i = 0; i < 6; ++i) h[i] = row[i] + x * (row[6 + i] - row[i]);
        double a = size * h[0], b = size * h[1];
        double speed = fmax(w[AT_creep + 24 + lane], 1e-3);
        double ab = a * b, root = sqrt(ab), factor = SHEAR_MODULUS * ab / speed;
        double f11 = factor * h[2], f22 = factor * h[3], f23 = factor * root * h[4], f33 = factor * ab * h[5];
        if (FRICTION > 0.0) {
            double vx = w[AT_creep + lane], vy = w[AT_creep + 8 + lane], spin = w[AT_creep + 16 + lane];
            double fx = f11 * vx, fy = f22 * vy + f23 * spin;
            double use = sqrt(fx * fx + fy * fy) / (FRICTION * normal);
            double saturation = use < 3.0 ? 1.0 - use / 3.0 + use * use / 27.0 : 1.0 / use;
            f11 = saturation * f11; f22 = saturation * f22; f23 = saturation * f23; f33 = saturation * f33;
        }
        w[AT_creep_coefficient + lane] = scale * f11;
        w[AT_creep_coefficient + 8 + lane] = scale * f22;
        w[AT_creep_coefficient + 16 + lane] = scale * f23;
        w[AT_creep_coefficient + 24 + lane] = scale * f33;
    }
}

static void add_stop_forces(double *w)
{
    for (int lane = 0; lane < 8; ++lane) {
        double side = lane % 2 == 0 ? 1.0 : -1.0;
        double shift = side * (w[AT_surface + 24 + lane] - w[AT_surface + 8 + lane]) - FLANGE_CLEARANCE;
        w[AT_stop_force + lane] = 0.0;
        if (shift <= 0.0) continue;
        double rate = side * (w[AT_surface_rate + 24 + lane] - w[AT_surface_rate + 8 + lane]);
        double force = -side * fmax(FLANGE_STIFFNESS * shift + FLANGE_DAMPING * rate, 0.0);
        w[AT_stop_force + lane] = force;
        int wheelset = lane / 2;
        for (int column = 0; column < WIDTH; ++column) {
            int j = columns[wheelset * WIDTH + column];
            if (j < 0) continue;
            double total = 0.0;
            for (int k = 0; k < 6; ++k)
                total += w[AT_jacobian + (6 * wheelset + k) * WIDTH + column] * w[AT_rows + 8 * (6 + k) + lane];
            w[AT_delta + j] += total * force;
        }
    }
}

static double tangent(const double *w, int lane)
{
    double worst = 0.0;
    for (int i = 0; i < 4; ++i) worst = fmax(worst, fabs(w[AT_residual + 8 * i + lane]));
    return worst;
}

/* Newton's method alone; a contact that jumps (see docs) is an error here. */
static void project(double *w, int status[2])
{
    int iteration;
    kinematics(w);
    for (iteration = 0; iteration < 4; ++iteration) {
        look_up(w, 0, status);
        tangent_newton(w);
        double worst = 0.0;
        for (int lane = 0; lane < 8; ++lane) {
            worst = fmax(worst, tangent(w, lane));
            for (int i = 0; i < 4; ++i) w[AT_surface + 8 * i + lane] += w[AT_surface_step + 8 * i + lane];
        }
        if (worst <= TOLERANCE) break;
    }
    if (iteration == 4 && status[0] == GOOD) status[0] = NOT_CONVERGED;
    if (status[0] != GOOD) return;
    look_up(w, 1, status);
    for (iteration = 0; iteration < 12; ++iteration) {
        normal_rows(w);
        double worst = 0.0;
        for (int lane = 0; lane < 8; ++lane) worst = fmax(worst, fabs(w[AT_normal_row + 48 + lane]));
        project_position(w);
        kinematics(w);
        if (worst <= TOLERANCE) break;
    }
    normal_rows(w);
    project_velocity(w);
    surface_rates(w);
}

void locomotive_parameters(double *w) { set_parameters(w); }

int locomotive_step(double *w, int *wheel)
{
    double backup[STATE];
    int status[2] = {GOOD, -1};
    const double dt = w[AT_time_step];
    memcpy(backup, w, sizeof backup);
    dynamics(w);
    look_up(w, 1, status);
    contact_dynamics(w);
    creep_coefficients(w, dt);
    if (FLANGE_STIFFNESS > 0.0) add_stop_forces(w);
    creep_matrix(w);
    condense(w);
    solve(w);
    double total = 0.0;
    for (int i = 0; i < N; ++i) total += fabs(w[AT_solution + i]);
    if (!(total < 1e9)) status[0] = NOT_FINITE;
    if (status[0] == GOOD) {
        for (int lane = 0; lane < 8; ++lane) {
            double force = w[AT_new_normal_force + lane];
            w[AT_normal_force + lane] = force;
            if (!(force > 0.0)) { status[0] = LIFTED; status[1] = lane; }
        }
        for (int i = 0; i < N; ++i) {
            double before = w[AT_qd + i], after = w[AT_solution + i];
            w[AT_q + i] += 0.5 * dt * (before + after);
            w[AT_qd + i] = after;
        }
        for (int i = 0; i < 32; ++i) w[AT_surface + i] += dt * w[AT_surface_rate + i];
        project(w, status);
    }
    if (status[0] != GOOD) memcpy(w, backup, sizeof backup);
    if (wheel) *wheel = status[1];
    return status[0];
}
