"""Analysis of usage without any input or output: records, token buckets, histograms, time zones.

Every bucket of tokens excludes the others, so that sums and costs count no token twice.
"""
