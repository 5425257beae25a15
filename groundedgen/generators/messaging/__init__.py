"""Requests to Anthropic's Messages API: the forms that are asked for, and the steps of a try."""
