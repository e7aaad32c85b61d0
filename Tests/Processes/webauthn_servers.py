"""Two servers that judge passkeys, Duo's `webauthn` and Yubico's `fido2`, behind one interface."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import webauthn
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    AuthenticatorData,
    PublicKeyCredentialParameters,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    RegistrationResponse,
)
from webauthn.helpers import structs

RELYING_PARTY = "example.org"
ORIGIN = "https://login.example.org"
USER = b"user handle"


class Refused(Exception):
    """The server does not believe what it was sent."""


@dataclass
class Account:
    """What a server keeps of a registration, and what it learned."""

    stored: Any
    is_verified: bool
    is_eligible: bool
    is_backed_up: bool
    format: str


@dataclass
class SignIn:
    """What a server learned when somebody signed in."""

    is_verified: bool
    is_backed_up: bool
    counter: int


class Duo:
    """The server of the package `webauthn`."""

    def __init__(self, relying_party: str = RELYING_PARTY) -> None:
        self.relying_party = relying_party

    def creation(
        self, algorithms: list[int], verification: str = "preferred", attestation: str = "none"
    ) -> dict[str, Any]:
        self.verification = verification
        self.algorithms = [structs.COSEAlgorithmIdentifier(algorithm) for algorithm in algorithms]
        options = webauthn.generate_registration_options(
            rp_id=self.relying_party,
            rp_name="Example",
            user_name="user",
            user_id=USER,
            attestation=structs.AttestationConveyancePreference(attestation),
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                user_verification=structs.UserVerificationRequirement(verification)
            ),
            supported_pub_key_algs=self.algorithms,
        )
        self.challenge = options.challenge
        return json.loads(webauthn.options_to_json(options))

    def created(self, answer: dict[str, Any], origin: str = ORIGIN, *, is_present: bool = True) -> Account:
        try:
            result = webauthn.verify_registration_response(
                credential=answer,
                expected_challenge=self.challenge,
                expected_rp_id=self.relying_party,
                expected_origin=origin,
                require_user_verification=self.verification == "required",
                require_user_presence=is_present,
                supported_pub_key_algs=self.algorithms,
            )
        except webauthn.helpers.exceptions.WebAuthnException as error:
            raise Refused(str(error)) from error
        return Account(
            stored=result,
            is_verified=result.user_verified,
            is_eligible=result.credential_device_type == structs.CredentialDeviceType.MULTI_DEVICE,
            is_backed_up=result.credential_backed_up,
            format=result.fmt,
        )

    def request(self, account: Account, verification: str = "preferred") -> dict[str, Any]:
        self.verification = verification
        options = webauthn.generate_authentication_options(
            rp_id=self.relying_party,
            allow_credentials=[structs.PublicKeyCredentialDescriptor(id=account.stored.credential_id)],
            user_verification=structs.UserVerificationRequirement(verification),
        )
        self.challenge = options.challenge
        return json.loads(webauthn.options_to_json(options))

    def signed_in(self, account: Account, answer: dict[str, Any], origin: str = ORIGIN) -> SignIn:
        try:
            result = webauthn.verify_authentication_response(
                credential=answer,
                expected_challenge=self.challenge,
                expected_rp_id=self.relying_party,
                expected_origin=origin,
                credential_public_key=account.stored.credential_public_key,
                credential_current_sign_count=0,
                require_user_verification=self.verification == "required",
            )
        except webauthn.helpers.exceptions.WebAuthnException as error:
            raise Refused(str(error)) from error
        return SignIn(result.user_verified, result.credential_backed_up, result.new_sign_count)


class Yubico:
    """The server of the package `fido2`."""

    def __init__(self, relying_party: str = RELYING_PARTY) -> None:
        self.relying_party = relying_party

    def creation(
        self, algorithms: list[int], verification: str = "preferred", attestation: str = "none"
    ) -> dict[str, Any]:
        self.server = self.new_server(attestation)
        self.server.allowed_algorithms = [
            PublicKeyCredentialParameters(type="public-key", alg=algorithm) for algorithm in algorithms
        ]
        user = PublicKeyCredentialUserEntity(id=USER, name="user", display_name="User")
        options, self.state = self.server.register_begin(user, user_verification=verification)
        return dict(options)["publicKey"]

    def created(self, answer: dict[str, Any], origin: str = ORIGIN, *, is_present: bool = True) -> Account:
        if not is_present:
            # This server takes no passkey that nobody agreed to; what it would keep is read all the same.
            data = RegistrationResponse.from_dict(answer).response.attestation_object.auth_data
            return self.account(data, answer)
        if origin != ORIGIN:
            self.server = self.new_server("none", origin)
        try:
            data = self.server.register_complete(self.state, answer)
        except Exception as error:
            raise Refused(str(error)) from error
        return self.account(data, answer)

    @staticmethod
    def account(data: AuthenticatorData, answer: dict[str, Any]) -> Account:
        flags = data.flags
        return Account(
            stored=data.credential_data,
            is_verified=bool(flags & AuthenticatorData.FLAG.UV),
            is_eligible=bool(flags & AuthenticatorData.FLAG.BE),
            is_backed_up=bool(flags & AuthenticatorData.FLAG.BS),
            format=RegistrationResponse.from_dict(answer).response.attestation_object.fmt,
        )

    def request(self, account: Account, verification: str = "preferred") -> dict[str, Any]:
        self.server = self.new_server("none")
        options, self.state = self.server.authenticate_begin([account.stored], user_verification=verification)
        return dict(options)["publicKey"]

    def signed_in(self, account: Account, answer: dict[str, Any], origin: str = ORIGIN) -> SignIn:
        if origin != ORIGIN:
            self.server = self.new_server("none", origin)
        try:
            credential = self.server.authenticate_complete(self.state, [account.stored], answer)
        except Exception as error:
            raise Refused(str(error)) from error
        assert isinstance(credential, AttestedCredentialData)
        data = AuthenticationResponse.from_dict(answer).response.authenticator_data
        return SignIn(
            bool(data.flags & AuthenticatorData.FLAG.UV), bool(data.flags & AuthenticatorData.FLAG.BS), data.counter
        )

    def new_server(self, attestation: str, origin: str = ORIGIN) -> Fido2Server:
        return Fido2Server(
            PublicKeyCredentialRpEntity(name="Example", id=self.relying_party),
            attestation=attestation,
            verify_origin=lambda sent: sent == origin,
        )
