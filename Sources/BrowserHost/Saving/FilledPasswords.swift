import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem
import Synchronization

/// What was filled for this browser since it started: a sign-in with just that asks nothing, also where the provider is
/// locked and nobody can compare. Only digests are kept, under a random key that never leaves this process.
final class FilledPasswords: Sendable {
    /// The most that are remembered; those that came first go first.
    static let most = 256

    private struct Filled: Hashable {
        let site: [UInt8]
        let account: [UInt8]
        let password: [UInt8]
    }

    private let key = SecretKey(random: SystemRandomSource())
    private let filled = Mutex<[Filled]>([])

    /// How many are remembered.
    var count: Int { filled.withLock { $0.count } }

    /// A password was filled on a page; nothing of a private window is remembered.
    func note(_ result: Fill.Result, on page: Page) {
        guard !page.isPrivate, case .password(let user, let password) = result.credential,
            let digest = digest(of: password)
        else { return }
        let new = Filled(site: name(page, nil), account: name(page, user), password: digest)
        filled.withLock { filled in
            filled.removeAll { $0 == new }
            filled.append(new)
            if filled.count > Self.most { filled.removeFirst() }
        }
    }

    /// Whether a form was sent with what was filled at its site; under whichever name, where the form has none.
    func contains(_ form: SubmittedForm) -> Bool {
        guard let digest = digest(of: form.password) else { return false }
        let (site, account) = (name(form.page, nil), name(form.page, form.user))
        return filled.withLock { filled in
            filled.contains {
                $0.password == digest && $0.site == site && (form.user.isEmpty || $0.account == account)
            }
        }
    }

    /// Another password of the site was saved: what was filled before may be no longer what the provider has.
    func forget(_ page: Page) {
        let site = name(page, nil)
        filled.withLock { $0.removeAll { $0.site == site } }
    }

    /// Forgets all of them.
    func removeAll() { filled.withLock { $0 = [] } }

    private func name(_ page: Page, _ user: String?) -> [UInt8] {
        key.derive(1, context: "filled  ").hash(Array("\(page.origin)\n\(user.map { "=" + $0 } ?? "")".utf8))
    }

    private func digest(of password: Attachment) -> [UInt8]? {
        let key = key.derive(2, context: "filled  ")
        return try? password.sealedMemory().withUnsafeBytes { bytes in
            [UInt8](unsafeUninitializedCapacity: 32) { buffer, initialized in
                key.hash(bytes, into: UnsafeMutableRawBufferPointer(buffer))
                initialized = 32
            }
        }
    }
}
