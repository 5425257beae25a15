"""What limits a sentence from behind it, in parts, behind `text.qualifiers`."""
