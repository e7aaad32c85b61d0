// Keyway's extension lies in /usr/share/mozilla/extensions. Without this, Firefox looks there only when it starts with a new
// profile, and when Firefox itself was updated: with this, at each start. 8 is that folder alone (SCOPE_SYSTEM).
pref("extensions.startupScanScopes", 8);
