#!/usr/bin/env python3
"""Fits the functions of src/kernels/math_simd128.h and prints their coefficients and errors.

exp(r) ~ 1 + r + r^2 * C(r) on |r| <= ln(2) / 2, with the least greatest relative error.

erf(x / sqrt(2)) ~ x * P(x^2) / Q(x^2) on |x| <= LIMIT, where LIMIT is the point from which on x / 2 * (1 + erf) equals x or 0
within float32's rounding. Iteratively reweighted linear least squares in extended precision (Loeb's algorithm),
then the greatest error of GELU evaluated in float32 as the kernel does.
Needs numpy and scipy.
"""

import numpy as np
from scipy.special import erf, erfc

LIMIT, P_DEGREE, Q_DEGREE = 5.4, 5, 5


def fit():
    x = (LIMIT / 2) * (1 - np.cos(np.pi * (np.arange(20000) + 0.5) / 20000))
    t = (x / LIMIT) ** 2
    f = erf(x / np.sqrt(2)) / x
    error_weight = np.maximum(x * x, 0.05)  # GELU's error is x / 2 times the error of erf
    p_columns = np.stack([t**i for i in range(P_DEGREE + 1)], 1)
    q_columns = np.stack([t**i for i in range(1, Q_DEGREE + 1)], 1)
    q = np.ones_like(t)
    lawson = np.ones_like(t)
    best = None
    for _ in range(200):
        w = error_weight * np.sqrt(lawson) / q
        a = np.concatenate([p_columns, -f[:, None] * q_columns], 1) * w[:, None]
        c = np.linalg.lstsq(a, f * w, rcond=None)[0]
        q = 1 + q_columns @ c[P_DEGREE + 1 :]
        error = np.abs((p_columns @ c[: P_DEGREE + 1]) / q - f) * error_weight
        if best is None or error.max() < best[0]:
            best = (error.max(), c)
        lawson = lawson * (0.02 + error / error.max())
        lawson /= lawson.mean()
    c = best[1]
    scale = LIMIT ** (-2.0 * np.arange(max(P_DEGREE, Q_DEGREE) + 1))
    return c[: P_DEGREE + 1] * scale[: P_DEGREE + 1], np.concatenate([[1.0], c[P_DEGREE + 1 :]]) * scale[: Q_DEGREE + 1]


def gelu_float32(x, p, q):
    one, half = np.float32(1), np.float32(0.5)
    z = np.clip(x, np.float32(-LIMIT), np.float32(LIMIT))
    t = z * z
    num = np.full_like(x, np.float32(p[-1]))
    for value in p[-2::-1]:
        num = num * t + np.float32(value)
    den = np.full_like(x, np.float32(q[-1]))
    for value in q[-2::-1]:
        den = den * t + np.float32(value)
    return half * x * (one + z * num / den)


def fit_exp(degree=4):
    half = np.log(2) / 2
    r = half * np.cos(np.pi * (np.arange(4000) + 0.5) / 4000)
    columns = np.stack([r ** (i + 2) for i in range(degree)], 1)
    lawson = np.ones_like(r)
    for _ in range(300):
        w = np.sqrt(lawson) / np.exp(r)
        c = np.linalg.lstsq(columns * w[:, None], (np.exp(r) - 1 - r) * w, rcond=None)[0]
        error = np.abs((columns @ c + 1 + r) / np.exp(r) - 1)
        lawson *= 0.02 + error / error.max()
        lawson /= lawson.mean()
    return c, error.max()


c, exp_error = fit_exp()
print("C", ", ".join(f"{v:.9e}f" for v in c))
print(f"greatest relative error {exp_error:.2e}, before float32's rounding")

p, q = fit()
x = np.linspace(-12, 12, 4_000_001).astype(np.float32)
x64 = x.astype(np.float64)
exact = np.where(x64 < 0, x64 / 2 * erfc(-x64 / np.sqrt(2)), x64 / 2 * (1 + erf(x64 / np.sqrt(2))))
got = gelu_float32(x, p, q)
error = np.abs(got - exact)
print("P", ", ".join(f"{v:.9e}f" for v in p))
print("Q", ", ".join(f"{v:.9e}f" for v in q))
print(f"greatest error {error.max():.2e} at {x[error.argmax()]:.3f}; relative to max(1, |x|) {(error / np.maximum(1, np.abs(x))).max():.2e}")
