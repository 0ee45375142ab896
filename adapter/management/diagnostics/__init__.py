"""Examination of a gateway by `poolkeeper doctor`: working endpoints, cost, and advice."""
