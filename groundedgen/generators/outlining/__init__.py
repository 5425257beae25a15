"""How the models that Outlines reaches are called, probed and watched."""
