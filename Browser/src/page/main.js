/** The content script. */
