"""Functional mock-up units: the step as a co-simulation model of FMI 2.0 and 3.0."""
