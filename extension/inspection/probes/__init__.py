"""Probes of accounts: plan, judgement and maximum cost."""
