"""A private session of Keyway: a staged tree, a home of its own, its own broker; removed when it ends."""
