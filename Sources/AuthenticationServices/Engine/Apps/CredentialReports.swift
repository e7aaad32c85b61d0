import AutoFillProtocol
import AutoFillWire
import Foundation
import KeywaySystem

/// What an application tells of accounts.
extension BrokerLink {
    /// Tells every provider that takes reports.
    ///
    /// - Throws: ``ASAuthorizationError`` when the report is none, or the system refused it; never what became of it.
    func report(_ report: CredentialReport) async throws {
        do {
            _ = try await connection().call(ReportCredential.self, .init(report: report))
        } catch {
            throw ASAuthorizationError(error)
        }
    }

    /// Has the person's credential manager keep a password.
    ///
    /// - Throws: ``ASAuthorizationError``.
    func save(_ password: ASPasswordCredential, for scope: ASAutoFillURLScope, title: String?) async throws {
        do {
            guard let url = scope.url else {
                throw ASAuthorizationError.ended(.failed, "The place is none on the web.")
            }
            var text = password.password
            let secret = Attachment(try text.withUTF8 { try SealedMemory(copying: UnsafeRawBufferPointer($0)) })
            let offered = PasswordToSave(
                service: ServiceIdentifier(url.absoluteString, kind: .url), user: password.user, password: secret,
                title: title, session: UUID().uuidString, event: .formDidDisappear)
            _ = try await connection().call(
                SavePassword.self, .init(password: offered, provider: nil, presents: false))
        } catch let error as ProtocolError where error.code == .noProvider {
            throw ASAuthorizationError.ended(.notHandled, error.message)
        } catch {
            throw ASAuthorizationError(error)
        }
    }
}
