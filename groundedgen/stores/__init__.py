"""Source stores: what a reader may see of a source, asked again at every render."""
