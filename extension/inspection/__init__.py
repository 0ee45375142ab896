"""Decisions of the inspection, without any input or output.

From an account to a plan of probes, from the answers to a verdict, from the verdict to a recommendation. Every table
here is data that a test compares cell by cell and that feeds the legend of the page.
"""
