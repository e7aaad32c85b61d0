import AutoFillProtocol
import Foundation

extension ASCredentialProviderViewController {
    /// Calls the method that `request` is for.
    ///
    /// - Throws: ``ProtocolError`` when the request makes no sense.
    func enter(_ request: PerformRequest.Request) throws {
        switch request {
        case .provideWithoutInteraction(let wanted):
            provideCredentialWithoutUserInteraction(for: try wanted.value())
        case .provideWithInteraction(let wanted):
            prepareInterfaceToProvideCredential(for: try wanted.value())
        case .list(let services, passkeys: nil):
            prepareCredentialList(for: services.map { .init($0) })
        case .list(let services, passkeys: let parameters?):
            prepareCredentialList(for: services.map { .init($0) }, requestParameters: try .init(parameters))
        case .oneTimeCodeList(let services):
            prepareOneTimeCodeCredentialList(for: services.map { .init($0) })
        case .textToInsert:
            prepareInterfaceForUserChoosingTextToInsert()
        case .registerPasskeyWithoutInteraction(let registration):
            performWithoutUserInteractionIfPossible(passkeyRegistration: .init(registration))
        case .registerPasskey(let registration):
            prepareInterface(forPasskeyRegistration: ASPasskeyCredentialRequest(registration))
        case .savePasswordWithoutInteraction(let password):
            performWithoutUserInteractionIfPossible(savePasswordRequest: try .init(password))
        case .savePassword(let password):
            prepareInterface(for: try ASSavePasswordRequest(password))
        case .generatePasswordsWithoutInteraction(let passwords):
            performWithoutUserInteraction(generatePasswordsRequest: .init(passwords))
        case .generatePasswords(let passwords):
            prepareInterface(for: ASGeneratePasswordsRequest(passwords))
        case .setUpCode(let code):
            prepareInterface(for: try KeywayCodeSetup(code))
        case .report(let report):
            hear(report)
        case .configuration:
            prepareInterfaceForExtensionConfiguration()
        }
    }

    private func hear(_ report: CredentialReport) {
        switch report {
        case .passkeyUpdated(let relyingParty, let userHandle, let newName):
            reportPublicKeyCredentialUpdate(forRelyingParty: relyingParty, userHandle: userHandle, newName: newName)
        case .passkeyUnknown(let relyingParty, let credentialID):
            reportUnknownPublicKeyCredential(forRelyingParty: relyingParty, credentialID: credentialID)
        case .passkeysAccepted(let relyingParty, let userHandle, let credentialIDs):
            reportAllAcceptedPublicKeyCredentials(
                forRelyingParty: relyingParty, userHandle: userHandle, acceptedCredentialIDs: credentialIDs)
        case .passwordUnused(let domain, let userName):
            reportUnusedPasswordCredential(forDomain: domain, userName: userName)
        }
    }
}
