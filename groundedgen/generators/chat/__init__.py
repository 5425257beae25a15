"""Requests to servers that speak OpenAI's chat completions, and what those servers obey."""
