@testable import CredentialExchange
@testable import KeywayCrypto
@testable import SecretDocuments
@testable import Vault
@testable import VaultExchange

private let limits = ItemLimits(
    titleCharacters: 300, userCharacters: 300, addresses: 50, addressCharacters: 2000, tags: 50, tagCharacters: 100,
    fields: 40, fieldNameCharacters: 300, fieldBytes: 65_536, passwordBytes: 16_384, notesBytes: 1 << 20)

/// Whatever is in an item of a document, the vault could store what becomes of it, or it is refused. Bytes that are no
/// JSON are unpacked as what a site stored with a passkey.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzItemExchange(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    guard let text = try? checkedText(bytes), let value = try? JSONScanner.document(text) else {
        let content = Deflate.unpack(SecretBytes(copying: bytes), limit: 4096)
        precondition((content?.count ?? 0) <= 4096, "no more than the limit")
        return 0
    }
    guard let object = value.object,
        let item = try? ItemReader(limits: limits, now: 1_790_000_000).read(ExchangeItem(object))
    else { return 0 }
    do {
        _ = try SectionPlan([], item.draft.sections.map { SectionChange.add($0) })
    } catch {
        preconditionFailure("a section that can't be stored: \(error)")
    }
    return 0
}
