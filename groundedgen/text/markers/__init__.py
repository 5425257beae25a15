"""What is a citation marker and what only looks like one, behind `text.brackets`."""
