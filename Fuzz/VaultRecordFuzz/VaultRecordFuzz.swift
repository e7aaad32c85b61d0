import FoundationEssentials
import KeywayCrypto

@testable import Vault

/// The law for opened summaries and bodies: what is read is written back byte for byte, but for the padding.
///
/// The first byte of the input says which reader gets the rest.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let record = UnsafeRawBufferPointer(start: data + 1, count: count - 1)
    switch data[0] & 3 {
    case 0: checkSummary(record)
    case 1: checkBody(record)
    case 2: checkManifest(record)
    default: checkIndex(record)
    }
    return 0
}

private let item = [UInt8](repeating: 1, count: 16).withUnsafeBytes { ItemID(sixteen: $0) }

private func checkSummary(_ record: UnsafeRawBufferPointer) {
    guard let summary = try? ItemSummary(id: item, decoding: record), let parts = try? SummaryParts(record),
        let foreign = try? parts.foreignFields()
    else { return }
    let buffer = SecretBuffer()
    summary.encode(into: buffer, keeping: foreign)
    // Dates are cut at the year 9999 when they are written: only the rest must be the same.
    guard StoredDate.milliseconds(summary.created) == parts.created,
        StoredDate.milliseconds(summary.modified) == parts.modified,
        summary.hidden.map(StoredDate.milliseconds) == parts.hidden
    else { return }
    buffer.withUnsafeBytes { precondition($0.elementsEqual(parts.content)) }
}

private func checkBody(_ record: UnsafeRawBufferPointer) {
    guard let body = try? ItemBody(SecretBytes(copying: record)), body.history.count <= ItemBody.historyLimit else {
        return
    }
    let buffer = SecretBuffer()
    // Whatever the numbers of its sections are, the summary has them.
    let heads = body.sectionNumbers.map { SectionHead(number: $0, type: .note, version: 2, content: []) }
    precondition((try? body.check(heads)) != nil)
    body.encode(ItemChanges(), SectionPlan(keeping: heads), at: Date(timeIntervalSince1970: 0), into: buffer)
    // A second reading gives the same; empty secrets and dates beyond the year 9999 are not written as they were.
    let again = try? ItemBody(buffer.finish())
    precondition(again?.fields == body.fields)
    precondition((again?.password ?? SecretBytes(copying: [])) == (body.password ?? SecretBytes(copying: [])))
    precondition((again?.privateKey ?? SecretBytes(copying: [])) == (body.privateKey ?? SecretBytes(copying: [])))
    precondition(again?.largeBlob == body.largeBlob)
    for number in body.sectionNumbers {
        let part = body.section(number)
        precondition(again?.section(number) == part)
        checkSection(number, part)
    }
    precondition(again?.history.map(\.password) == body.history.map(\.password))
}

/// What can be read of a section is written as it was read.
private func checkSection(_ number: UInt16, _ part: SecretBytes?) {
    for type in SectionType.known {
        let head = SectionHead(number: number, type: type, version: SectionType.version, content: [])
        guard let section = try? ItemSection(head, part), (try? section.check()) != nil else { continue }
        let buffer = SecretBuffer()
        section.appendBody(to: buffer)
        let again = try? ItemSection(section.head(number), buffer.finish())
        precondition(again.map { Set($0.members.map(\.name)) } == Set(section.members.map(\.name)))
        precondition(again?.members.count == section.members.count)
    }
}

private func checkManifest(_ record: UnsafeRawBufferPointer) {
    guard let manifest = try? Manifest(record) else { return }
    precondition(manifest.bytes.elementsEqual(record))
}

private func checkIndex(_ record: UnsafeRawBufferPointer) {
    let index = SearchIndex(capacity: 1)
    guard (try? index.put(item, version: 1, summary: record)) != nil else { return }
    _ = index.search("a b", limit: 3)
    guard let summary = try? index.summary(of: item) else { return }
    precondition(index.entries(titled: summary.title).contains(0))
}
