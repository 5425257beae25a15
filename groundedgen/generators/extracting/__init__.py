"""What the extractive generator quotes beside a sentence, and how it says it."""
