"""Scores the detection of the browser extension on folders of labelled pages."""
