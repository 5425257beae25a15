"""What of a text is markup: blocks, code, links, emphasis."""
