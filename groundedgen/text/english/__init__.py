"""An English sentence taken apart, for judges that compare words."""
