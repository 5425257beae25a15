"""Loopback servers that speak real wire formats, for tests with the real SDKs."""
