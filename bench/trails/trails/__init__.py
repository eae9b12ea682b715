"""Recorded runs of howcome, and how another binary's runs compare with them."""
