"""What may be written, bound as tightly as a backend obeys; no SDK."""
