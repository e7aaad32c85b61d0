"""What `make -s api-coverage` is made of: how much of the reference's API the module has, row for row."""
