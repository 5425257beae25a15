"""Source stores and authorizers: what a reader may see of a source, asked at every render."""
