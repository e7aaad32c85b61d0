"""An authenticator that each browser pretends to have, and that agrees to everything at once."""

import json

from bidi import Browser

# In Chromium it can whatever there is to ask for.
OPTIONS = {
    "protocol": "ctap2",
    "ctap2Version": "ctap2_1",
    "transport": "internal",
    "automaticPresenceSimulation": True,
    "isUserVerified": True,
    **dict.fromkeys(
        ("hasResidentKey", "hasUserVerification", "hasLargeBlob", "hasPrf", "hasCredBlob", "hasMinPinLength"), True
    ),
}
SERVICE = "Cc['@mozilla.org/webauthn/service;1'].getService(Ci.nsIWebAuthnService)"
# Firefox has it instead of what is plugged in, and only by its preferences.
PREFERENCES = {"security.webauth.webauthn_enable_softtoken": True, "security.webauth.webauthn_enable_usbtoken": False}


class VirtualKey:
    """One in one browser, until it is removed."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._identifier = ""
        if browser.name == "chromium":
            browser.devtools("WebAuthn.enable", {})
            made = browser.devtools("WebAuthn.addVirtualAuthenticator", {"options": OPTIONS})
            self._identifier = made["authenticatorId"]
        else:
            for name, value in PREFERENCES.items():
                browser.in_chrome(f"Services.prefs.setBoolPref({json.dumps(name)}, {json.dumps(value)})")
            made = f"{SERVICE}.addVirtualAuthenticator('ctap2_1', 'internal', true, true, true, true)"
            browser.in_chrome(f"window.virtualKey = {made}")

    def remove(self) -> None:
        if self._browser.name == "chromium":
            self._browser.devtools("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": self._identifier})
            self._browser.devtools("WebAuthn.disable", {})
        else:
            self._browser.in_chrome(f"{SERVICE}.removeVirtualAuthenticator(window.virtualKey)")
            for name in PREFERENCES:
                self._browser.in_chrome(f"Services.prefs.clearUserPref({json.dumps(name)})")
