"""Connections, addresses, failures and logs: what all hosted models share."""
