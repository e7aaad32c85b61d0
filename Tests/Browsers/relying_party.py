"""The two servers that judge passkeys, for a page at any origin: Duo's `webauthn` and Yubico's `fido2`."""

from __future__ import annotations

import base64
import json
import secrets
from typing import Any

import webauthn
from fido2.server import Fido2Server
from fido2.utils import websafe_decode
from fido2.webauthn import (
    AttestationObject,
    AuthenticatorData,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
)
from webauthn.helpers import structs

USER = b"user handle"
NAME = "ada@example.org"
# Where the flags stand in the authenticator data.
FLAGS = 32
# What Yubico's server says of a passkey that nobody agreed to.
UNSEEN = "User Present flag not set."


class Refused(Exception):
    """The server does not believe what it was sent."""


class Duo:
    """The server of the package `webauthn`."""

    def __init__(self, party: str, origin: str) -> None:
        self.party = party
        self.origin = origin
        self.stored: Any = None

    def creation(
        self, verification: str = "preferred", exclude: bool = False, challenge: bytes | None = None
    ) -> dict[str, Any]:
        known = [structs.PublicKeyCredentialDescriptor(id=self.stored.credential_id)] if exclude else []
        options = webauthn.generate_registration_options(
            rp_id=self.party,
            rp_name="Example",
            user_name=NAME,
            user_id=USER,
            challenge=challenge,
            exclude_credentials=known,
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                resident_key=structs.ResidentKeyRequirement.REQUIRED,
                user_verification=structs.UserVerificationRequirement(verification),
            ),
        )
        self.challenge = options.challenge
        return json.loads(webauthn.options_to_json(options))

    def created(self, answer: dict[str, Any], verified: bool = False, present: bool = True) -> bool:
        """Whether the person was verified, of a passkey that is believed."""
        try:
            self.stored = webauthn.verify_registration_response(
                credential=answer,
                expected_challenge=self.challenge,
                expected_rp_id=self.party,
                expected_origin=self.origin,
                require_user_verification=verified,
                require_user_presence=present,
            )
        except webauthn.helpers.exceptions.WebAuthnException as error:
            raise Refused(str(error)) from error
        return self.stored.user_verified

    def request(
        self, verification: str = "preferred", named: bool = True, challenge: bytes | None = None
    ) -> dict[str, Any]:
        known = [structs.PublicKeyCredentialDescriptor(id=self.stored.credential_id)] if named else []
        options = webauthn.generate_authentication_options(
            rp_id=self.party,
            challenge=challenge,
            allow_credentials=known,
            user_verification=structs.UserVerificationRequirement(verification),
        )
        self.challenge = options.challenge
        return json.loads(webauthn.options_to_json(options))

    def signed_in(self, answer: dict[str, Any], verified: bool = False) -> bool:
        """Whether the person was verified, of an answer that is believed."""
        try:
            result = webauthn.verify_authentication_response(
                credential=answer,
                expected_challenge=self.challenge,
                expected_rp_id=self.party,
                expected_origin=self.origin,
                credential_public_key=self.stored.credential_public_key,
                credential_current_sign_count=0,
                require_user_verification=verified,
            )
        except webauthn.helpers.exceptions.WebAuthnException as error:
            raise Refused(str(error)) from error
        return result.user_verified


class Yubico:
    """The server of the package `fido2`."""

    def __init__(self, party: str, origin: str) -> None:
        self.server = Fido2Server(
            PublicKeyCredentialRpEntity(name="Example", id=party), verify_origin=lambda sent: sent == origin
        )
        self.stored: Any = None
        self.user = PublicKeyCredentialUserEntity(id=USER, name=NAME, display_name="Ada")

    def creation(
        self, verification: str = "preferred", exclude: bool = False, challenge: bytes | None = None
    ) -> dict[str, Any]:
        options, self.state = self.server.register_begin(
            self.user,
            credentials=[self.stored] if exclude else None,
            resident_key_requirement="required",
            user_verification=verification,
            challenge=challenge,
        )
        return json.loads(json.dumps(dict(options)["publicKey"], default=dict))

    def created(self, answer: dict[str, Any], verified: bool = False, present: bool = True) -> bool:
        """Whether the person was verified, of a passkey that is believed."""
        made = AttestationObject(websafe_decode(answer["response"]["attestationObject"])).auth_data
        try:
            self.server.register_complete(self.state, answer)
        except Exception as error:
            # This server takes no passkey that nobody agreed to; it says so once it has believed all before that.
            if present or str(error) != UNSEEN:
                raise Refused(str(error)) from error
        if verified and not made.is_user_verified():
            raise Refused("The person was not verified.")
        self.stored = made.credential_data
        return made.is_user_verified()

    def request(
        self, verification: str = "preferred", named: bool = True, challenge: bytes | None = None
    ) -> dict[str, Any]:
        options, self.state = self.server.authenticate_begin(
            [self.stored] if named else None, user_verification=verification, challenge=challenge
        )
        return json.loads(json.dumps(dict(options)["publicKey"], default=dict))

    def signed_in(self, answer: dict[str, Any], verified: bool = False) -> bool:
        """Whether the person was verified, of an answer that is believed."""
        try:
            self.server.authenticate_complete(self.state, [self.stored], answer)
        except Exception as error:
            raise Refused(str(error)) from error
        is_verified = AuthenticatorData(websafe_decode(answer["response"]["authenticatorData"])).is_user_verified()
        if verified and not is_verified:
            raise Refused("The person was not verified.")
        return is_verified


JUDGES = {"duo": Duo, "yubico": Yubico}


class Both:
    """Both servers, with one challenge: the page is given the options of one, and each must believe the answer."""

    def __init__(self, party: str, origin: str, options_of: str = "duo") -> None:
        self.party = party
        self.options_of = options_of
        self.judges = {name: judge(party, origin) for name, judge in JUDGES.items()}

    def at(self, origin: str) -> Both:
        """The same servers with the same passkey, for another page of theirs, or for a second request."""
        other = Both(self.party, origin, self.options_of)
        for name, judge in self.judges.items():
            other.judges[name].stored = judge.stored
        return other

    def creation(self, verification: str = "preferred", exclude: bool = False) -> dict[str, Any]:
        challenge = secrets.token_bytes(32)
        options = {name: judge.creation(verification, exclude, challenge) for name, judge in self.judges.items()}
        return options[self.options_of]

    def created(self, answer: dict[str, Any], verified: bool = False, present: bool = True) -> bool:
        """Whether the person was verified, of a passkey that both believe."""
        return agreed([judge.created(answer, verified, present) for judge in self.judges.values()])

    def request(self, verification: str = "preferred", named: bool = True) -> dict[str, Any]:
        challenge = secrets.token_bytes(32)
        options = {name: judge.request(verification, named, challenge) for name, judge in self.judges.items()}
        return options[self.options_of]

    def signed_in(self, answer: dict[str, Any], verified: bool = False) -> bool:
        """Whether the person was verified, of an answer that both believe."""
        return agreed([judge.signed_in(answer, verified) for judge in self.judges.values()])


def agreed(verdicts: list[bool]) -> bool:
    assert len(set(verdicts)) == 1, "the servers do not say the same"
    return verdicts[0]


def forged(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What was sent, with one thing in each that is not true."""

    def changed(name: str, change: Any) -> dict[str, Any]:
        data = change(bytearray(websafe_decode(answer["response"][name])))
        text = base64.urlsafe_b64encode(bytes(data)).decode().rstrip("=")
        return answer | {"response": answer["response"] | {name: text}}

    def turned(place: int, bits: int) -> Any:
        def turn(data: bytearray) -> bytearray:
            data[place] ^= bits
            return data

        return turn

    return {
        "signature": changed("signature", turned(-1, 1)),
        "person verified": changed("authenticatorData", turned(FLAGS, AuthenticatorData.FLAG.UV)),
        "person present": changed("authenticatorData", turned(FLAGS, AuthenticatorData.FLAG.UP)),
        "relying party": changed("authenticatorData", turned(0, 1)),
        "counter": changed("authenticatorData", turned(FLAGS + 4, 1)),
        "origin": changed("clientDataJSON", lambda data: data.replace(b"://localhost", b"://evil.test")),
        "challenge": changed("clientDataJSON", lambda data: data.replace(b'"challenge":"', b'"challenge":"AA')),
        "kind": changed("clientDataJSON", lambda data: data.replace(b"webauthn.get", b"webauthn.create")),
        "not signed": changed("clientDataJSON", lambda data: data.replace(b"}", b" }")),
    }
