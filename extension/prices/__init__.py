"""Prices of models and the cost of requests, without any input or output.

Theory of operation: a price list yields rates for a model at a time and a service tier; the cost of a request is the
sum of its parts, one for each unit, as exact integers of pico-USD. Tokens without a rate stay unknown: they are listed
with the reason, never counted as zero.
"""
