"""The effect of patches in a release: parts that it undoes, and parts that land elsewhere, without a conflict."""
