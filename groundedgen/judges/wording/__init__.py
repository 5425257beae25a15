"""What keeps a claim from meaning what a sentence means: the rules of `judges.lexical`."""
