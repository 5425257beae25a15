"""Judges: each says of (premise, claim) pairs whether the one entails the other."""
