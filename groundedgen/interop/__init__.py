"""Bringing documents in: files and folders become passages."""
