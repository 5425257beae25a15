"""Reading what came back, whole or in parts."""
