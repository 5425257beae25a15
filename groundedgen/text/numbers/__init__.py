"""Reading numbers, dates and quantities: rules and tables behind `text.numerals`."""
