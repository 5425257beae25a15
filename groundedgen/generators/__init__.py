"""Generators: one file per SDK, which alone imports it."""
