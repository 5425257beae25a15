"""Where a quote may stand and end, behind `text.search`."""
