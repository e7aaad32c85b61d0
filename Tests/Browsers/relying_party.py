"""The two servers that judge passkeys, for a page at any origin: Duo's `webauthn` and Yubico's `fido2`."""

from __future__ import annotations

import json
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


class Refused(Exception):
    """The server does not believe what it was sent."""


class Duo:
    """The server of the package `webauthn`."""

    def __init__(self, party: str, origin: str) -> None:
        self.party = party
        self.origin = origin
        self.stored: Any = None

    def creation(self, verification: str = "preferred", exclude: bool = False) -> dict[str, Any]:
        known = [structs.PublicKeyCredentialDescriptor(id=self.stored.credential_id)] if exclude else []
        options = webauthn.generate_registration_options(
            rp_id=self.party,
            rp_name="Example",
            user_name=NAME,
            user_id=USER,
            exclude_credentials=known,
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                resident_key=structs.ResidentKeyRequirement.REQUIRED,
                user_verification=structs.UserVerificationRequirement(verification),
            ),
        )
        self.challenge = options.challenge
        return json.loads(webauthn.options_to_json(options))

    def created(self, answer: dict[str, Any], verified: bool = False, present: bool = True) -> None:
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

    def request(self, verification: str = "preferred", named: bool = True) -> dict[str, Any]:
        known = [structs.PublicKeyCredentialDescriptor(id=self.stored.credential_id)] if named else []
        options = webauthn.generate_authentication_options(
            rp_id=self.party,
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

    def creation(self, verification: str = "preferred", exclude: bool = False) -> dict[str, Any]:
        options, self.state = self.server.register_begin(
            self.user,
            credentials=[self.stored] if exclude else None,
            resident_key_requirement="required",
            user_verification=verification,
        )
        return json.loads(json.dumps(dict(options)["publicKey"], default=dict))

    def created(self, answer: dict[str, Any], verified: bool = False, present: bool = True) -> None:
        if not present:
            # This server takes no passkey that nobody agreed to; what it would keep is read all the same.
            made = AttestationObject(websafe_decode(answer["response"]["attestationObject"]))
            self.stored = made.auth_data.credential_data
            return
        try:
            self.stored = self.server.register_complete(self.state, answer).credential_data
        except Exception as error:
            raise Refused(str(error)) from error

    def request(self, verification: str = "preferred", named: bool = True) -> dict[str, Any]:
        options, self.state = self.server.authenticate_begin(
            [self.stored] if named else None, user_verification=verification
        )
        return json.loads(json.dumps(dict(options)["publicKey"], default=dict))

    def signed_in(self, answer: dict[str, Any], verified: bool = False) -> bool:
        """Whether the person was verified, of an answer that is believed."""
        try:
            self.server.authenticate_complete(self.state, [self.stored], answer)
        except Exception as error:
            raise Refused(str(error)) from error
        flags = AuthenticatorData(websafe_decode(answer["response"]["authenticatorData"])).flags
        return bool(flags & AuthenticatorData.FLAG.UV)


JUDGES = {"duo": Duo, "yubico": Yubico}
