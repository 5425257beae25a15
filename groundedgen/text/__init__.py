"""Work on strings alone: no passage, no statement, no provider is known here."""
