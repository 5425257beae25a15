"""Native models in this process: their files, their threads, their constraints."""
