"""What the tests of the tools share."""

import interruption

interruption.allow()
