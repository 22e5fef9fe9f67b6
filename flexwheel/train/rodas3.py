"""RODAS3: linearly implicit, four stages, order 3, stiffly accurate, with an embedded method of order 2.

Stage i solves (1/(h gamma) - J) U_i = f(t + alpha_i h, y + sum a_ij U_j) + sum c_ij/h U_j + h gamma_i df/dt;
y_new = y + 2 U_1 + U_3 + U_4; the error estimate is U_4.

Source: Sandu, Verwer, Blom, Spee, Carmichael, Potra, Atmospheric Environment 31 (1997) 3459-3472, in the form of
Hairer and Wanner, Solving Ordinary Differential Equations II, eq (IV.7.25).
Order verified in tests/verification/test_train_integrator.py.
"""

GAMMA = 0.5
# (stage) alpha: 0, 0, 1, 1; gamma_i: 1/2, 3/2, 0, 0
GAMMA_1, GAMMA_2 = 0.5, 1.5
# stage 3: y + 2 U_1; stage 4: y + 2 U_1 + U_3; f of stages 1 and 2 is the same
# c: stage 2: 4 U_1; stage 3: U_1 - U_2; stage 4: U_1 - U_2 - 8/3 U_3
C_21 = 4.0
C_43 = -8.0 / 3.0
ORDER = 3
