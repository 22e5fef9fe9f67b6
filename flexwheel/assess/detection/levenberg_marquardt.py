"""Training of a feedforward network with one tanh hidden layer by Levenberg-Marquardt with early stopping.

The Jacobian is never stored for all samples: its normal matrix is summed over chunks of samples.

Sources: Hagan and Menhaj 1994, IEEE Trans. Neural Networks 5(6) (the algorithm); Nguyen and Widrow 1990, IJCNN (first
weights); Falomi, Malvezzi and Meli 2011, Wear 271, section 4.2.2 (150 epochs, five rises of the validation error).
Verified in tests/contact/test_detection_network_verified.py.
"""

from typing import NamedTuple

import numpy as np

_CHUNK = 2048
_DAMPING, _LEAST_DAMPING, _MOST_DAMPING = 1e-3, 1e-12, 1e10


class TrainedNetwork(NamedTuple):
    """Weights with the least validation error, and the course of the training."""

    hidden: np.ndarray  # (h, i + 1) last column: bias
    output: np.ndarray  # (o, h + 1)
    training_error: np.ndarray  # (epochs,) mean square error
    validation_error: np.ndarray  # (epochs,)


def evaluate(hidden, output, inputs):
    """Outputs (n, o) of a network for inputs (n, i)."""
    layer = np.tanh(inputs @ hidden[:, :-1].T + hidden[:, -1])
    return layer @ output[:, :-1].T + output[:, -1]


def train_network(inputs, targets, validation, neurons, *, epochs=150, patience=5, seed=0, report=None):
    """Fit a network to samples.

    Parameters
    ----------
    inputs : (n, i) float       about -1 ... 1
    targets : (n, o) float      about -1 ... 1
    validation : (inputs, targets)  samples that decide when to stop
    neurons : int               of the hidden layer
    epochs : int                at most
    patience : int              consecutive rises of the validation error that end the training
    seed : int                  of the first weights
    report : function(epoch)    called after every epoch

    Returns
    -------
    TrainedNetwork              weights of the epoch with the least validation error
    """
    hidden, output = _first_weights(inputs, targets, neurons, np.random.default_rng(seed))
    damping, rises = _DAMPING, 0
    course, checks = [], []
    best = (np.inf, hidden, output)
    normal, gradient, error = _normal_equations(hidden, output, inputs, targets)
    for epoch in range(epochs):
        accepted = False
        while damping < _MOST_DAMPING:
            trial = _step(hidden, output, normal, gradient, damping)
            changed = _mean_square(*trial, inputs, targets)
            if changed < error:
                accepted = True
                break
            damping *= 10.0
        if not accepted:
            break
        hidden, output = trial
        damping = max(0.1 * damping, _LEAST_DAMPING)
        normal, gradient, error = _normal_equations(hidden, output, inputs, targets)
        check = _mean_square(hidden, output, *validation)
        rises = rises + 1 if checks and check > checks[-1] else 0
        course.append(error)
        checks.append(check)
        if check < best[0]:
            best = (check, hidden, output)
        if report is not None:
            report(epoch + 1)
        if rises >= patience:
            break
    return TrainedNetwork(best[1], best[2], np.array(course), np.array(checks))


def _first_weights(inputs, targets, neurons, random):
    """Nguyen-Widrow hidden layer; output layer by least squares."""
    width = inputs.shape[1]
    weights = random.standard_normal((neurons, width))
    scale = 0.7 * neurons ** (1.0 / width)
    weights *= scale / np.linalg.norm(weights, axis=1, keepdims=True)
    bias = scale * np.linspace(-1.0, 1.0, neurons) * np.sign(weights[:, 0])
    hidden = np.column_stack([weights, bias])
    some = slice(None, 4 * _CHUNK)
    layer = np.column_stack([np.tanh(inputs[some] @ weights.T + bias), np.ones(len(inputs[some]))])
    square = layer.T @ layer + 1e-6 * len(layer) * np.eye(neurons + 1)
    return hidden, np.linalg.solve(square, layer.T @ targets[some]).T


def _mean_square(hidden, output, inputs, targets):
    return float(np.mean((evaluate(hidden, output, inputs) - targets) ** 2))


def _normal_equations(hidden, output, inputs, targets):
    """J^T J, J^T e and the mean square error, over all samples and outputs; order: hidden, output.

    The derivatives of output k by the hidden weights are those of a neuron's value times its output weight, so that the
    products over the samples are the same for all outputs.
    """
    neurons, outputs = hidden.shape[0], output.shape[0]
    first = hidden.size
    square = np.zeros((first, first))
    cross, shared = np.zeros((first, neurons + 1)), np.zeros((neurons + 1, neurons + 1))
    bent_error, plain_error, error = np.zeros((first, outputs)), np.zeros((neurons + 1, outputs)), 0.0
    for start in range(0, len(inputs), _CHUNK):
        part = inputs[start : start + _CHUNK]
        extended = np.column_stack([part, np.ones(len(part))])
        layer = np.tanh(extended @ hidden.T)
        base = ((1.0 - layer * layer)[:, :, None] * extended[:, None, :]).reshape(len(part), first)
        layer = np.column_stack([layer, np.ones(len(part))])
        residual = layer @ output.T - targets[start : start + _CHUNK]
        square += base.T @ base
        cross += base.T @ layer
        shared += layer.T @ layer
        bent_error += base.T @ residual
        plain_error += layer.T @ residual
        error += float(np.sum(residual**2))
    weights = np.repeat(output[:, :-1], hidden.shape[1], axis=1)  # (o, first)
    size = first + output.size
    normal, gradient = np.zeros((size, size)), np.zeros(size)
    normal[:first, :first] = square * (weights.T @ weights)
    gradient[:first] = np.sum(bent_error * weights.T, axis=1)
    for k in range(outputs):
        own = slice(first + k * (neurons + 1), first + (k + 1) * (neurons + 1))
        normal[:first, own] = weights[k][:, None] * cross
        normal[own, :first] = normal[:first, own].T
        normal[own, own] = shared
        gradient[own] = plain_error[:, k]
    return normal, gradient, error / targets.size


def _step(hidden, output, normal, gradient, damping):
    """Weights after one step; the damping is relative to the normal matrix's mean diagonal."""
    scale = damping * np.trace(normal) / len(normal)
    try:
        change = np.linalg.solve(normal + scale * np.eye(len(normal)), -gradient)
    except np.linalg.LinAlgError:
        change = np.zeros_like(gradient)
    cut = hidden.size
    return hidden + change[:cut].reshape(hidden.shape), output + change[cut:].reshape(output.shape)
