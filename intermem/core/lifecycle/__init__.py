"""Confidence, decay, staleness, promotion, retention, feedback."""
