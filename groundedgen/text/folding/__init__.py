"""The steps and tables of folding, behind `text.folds`."""
