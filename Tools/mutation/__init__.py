"""What `Tools/mutants` is made of: mutations that switch a guard off, and whether the tests of the guard notice."""
