import CredentialExchange
import KeywayCrypto
import SecretDocuments

/// What two items of a document have in common that say the same: a hash under a key that nobody else has, so that it tells
/// nothing of the secrets in them.
struct ItemFingerprint {
    private let key: SecretKey
    private let buffer = SecretBuffer(capacity: 2048)
    /// What two items that say the same may differ in.
    private static let apart = ["id", "creationAt", "modifiedAt", "extensions"]

    /// Fingerprints under a new key.
    init(random: any RandomSource) {
        key = SecretKey(random: random)
    }

    /// The hash.
    struct Mark: Hashable, Sendable {
        fileprivate var words: SIMD4<UInt64> = .zero

        // It is one already, which nobody can foresee.
        func hash(into hasher: inout Hasher) { hasher.combine(words[0]) }
    }

    /// That of an item.
    func mark(of item: ExchangeItem) -> Mark {
        defer { buffer.removeAll() }
        let members = item.object.members.filter { !Self.apart.contains($0.name) }
        buffer.append(.object(JSONObject(members)))
        var mark = Mark()
        withUnsafeMutableBytes(of: &mark.words) { hash in buffer.withUnsafeBytes { key.hash($0, into: hash) } }
        return mark
    }
}

extension SecretBuffer {
    /// Adds a value of JSON in a form that no other value has: what it is, how many bytes or parts, and those.
    fileprivate func append(_ value: JSONValue) {
        switch value {
        case .null: append(0)
        case .boolean(let isTrue): append(isTrue ? 2 : 1)
        case .number(let number): append(3, number)
        case .string(let text):
            append(4, count: text.count)
            text.withUnsafeBytes { append($0) }
        case .array(let elements):
            append(5, count: elements.count)
            for element in elements { append(element) }
        case .object(let object):
            append(6, count: object.members.count)
            for member in object.members {
                append(7, member.name)
                append(member.value)
            }
        }
    }

    private func append(_ kind: UInt8, _ text: String) {
        append(kind, count: text.utf8.count)
        append(utf8Of: text)
    }

    private func append(_ kind: UInt8, count: Int) {
        append(kind)
        Swift.withUnsafeBytes(of: UInt64(count).littleEndian) { append($0) }
    }
}
