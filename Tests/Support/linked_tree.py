"""An installed tree of one's own, which takes no time and no room to make."""

import os
import shutil
from pathlib import Path


def copy_linked(tree: Path, target: Path) -> None:
    """Copies a tree by hard links, where they can be made: who changes a file puts another one in its place."""
    shutil.copytree(tree, target, symlinks=True, copy_function=link)


def link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
