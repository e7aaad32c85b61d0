import Testing

@testable import SecretDocuments

@Suite("documents that are gone through part by part")
struct PassedDocumentTests {
    private static let ends: [UInt8] = [0x00, 0x1F, 0x22, 0x5C]
    private static let plain: [UInt8] = [0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7F, 0x80, 0xA2, 0xDC, 0xFF]

    @Test(arguments: 0..<40)
    func textEndsWhereItsFirstSpecialByteStands(place: Int) {
        for end in Self.ends {
            // What stands before it borrows from nothing, and what stands behind it doesn't come first.
            var bytes = (0..<40).map { Self.plain[$0 % Self.plain.count] }
            bytes[place] = end
            for other in Self.ends where place < 39 { bytes[min(39, place + 1 + Int(other) % 9)] = other }
            let found = bytes.withUnsafeBytes { bytes in
                (0...place).map { bytes.firstEscaped(from: $0) }
            }
            #expect(found == Array(repeating: place, count: place + 1))
        }
    }

    @Test(arguments: 0..<20)
    func textWithoutSuchBytesEndsWithTheDocument(count: Int) {
        let bytes = (0..<count).map { Self.plain[$0 % Self.plain.count] }
        #expect(bytes.withUnsafeBytes { $0.firstEscaped(from: 0) } == count)
    }

    @Test(arguments: [0, 1, 2, 3])
    func aCharacterMayLieAcrossTwoParts(shift: Int) throws {
        let bytes = Array(repeating: UInt8(ascii: "a"), count: windowSize - shift) + Array("\u{1F511}пароль".utf8)
        var parts: [Range<Int>] = []
        let text = try bytes.withUnsafeBytes { try checkedText($0, passed: { parts.append($0) }).count }
        #expect(text == bytes.count)
        #expect(parts.first?.lowerBound == 0 && parts.last?.upperBound == bytes.count)
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(parts.count == 2)
    }

    @Test(arguments: [-4, -3, -2, -1, 0, 1, 4])
    func aByteThatIsNoUTF8IsFoundWhereItIs(offset: Int) {
        for wrong in [UInt8(0x80), 0xFF, 0xC0] {
            var bytes = Array(repeating: UInt8(ascii: "a"), count: windowSize + 10)
            bytes[windowSize + offset] = wrong
            let error = #expect(throws: DocumentError.self) { try bytes.withUnsafeBytes { _ = try checkedText($0) } }
            #expect(error?.code == .notUTF8)
            #expect(error?.place.offset == windowSize + offset)
        }
    }

    @Test func manyBytesThatContinueNothingAreNoUTF8() {
        let bytes = Array(repeating: UInt8(ascii: "a"), count: windowSize - 6) + Array(repeating: 0x80, count: 12)
        let error = #expect(throws: DocumentError.self) { try bytes.withUnsafeBytes { _ = try checkedText($0) } }
        #expect(error?.place.offset == windowSize - 6)
    }

    @Test func objectsInAnArrayAreOpenedInTheSamePass() throws {
        let text = #"{"v":1,"of":[{"items":[1,{"a":2}],"id":"A"},7,{"of":[3]}],"items":[4]}"#
        let outline = try #require(try outline(of: text))
        #expect(outline.object.members.map(\.name) == ["v"])
        #expect(outline.elements["items"]?.map { part(text, $0) } == ["4"])
        let opened = try #require(outline.opened)
        #expect(opened.map { $0 == nil } == [false, true, false])
        #expect(opened[0]?.object.publicText("id") == "A")
        #expect(opened[0]?.elements["items"]?.map { part(text, $0) } == ["1", #"{"a":2}"#])
        // Only those of the outermost object.
        #expect(opened[2]?.opened == nil && opened[2]?.object["of"] != nil)
    }

    @Test func whatIsNoArrayIsNotOpened() throws {
        let outline = try #require(try outline(of: #"{"of":{"items":[1]}}"#))
        #expect(outline.opened == nil && outline.places["of"] != nil)
    }

    @Test(arguments: [
        (#"{"of":[{"id":1,"id":2}]}"#, DocumentError.Code.repeated), (#"{"of":[{"items":[1,]}]}"#, .malformed),
        (#"{"of":[{"items":[1]}"#, .truncated), (#"{"of":[{},{},{}]}"#, .tooLarge),
        (#"{"of":[{"items":[1,2,3]}]}"#, .tooLarge),
    ])
    func whatIsOpenedIsCheckedAlike(text: String, code: DocumentError.Code) {
        let error = #expect(throws: DocumentError.self) { try outline(of: text, most: 2) }
        #expect(error?.code == code)
    }

    @Test func valuesAreReadOnAfterTheirPartHasPassed() throws {
        let element = "\"" + String(repeating: "x", count: 60_000) + "\""
        let text = "[" + Array(repeating: element, count: 150).joined(separator: ",") + "]"
        var (passed, heard) = ([Range<Int>](), 0)
        try Array(text.utf8).withUnsafeBytes { bytes in
            let places = try #require(try JSONOutline.elements(at: 0..<bytes.count, in: bytes))
            var values = JSONValues(at: places, in: bytes, passed: { passed.append($0) })
            while let value = try values.next() { heard += value.string?.count ?? 0 }
            #expect(passed.first?.lowerBound == places.first?.lowerBound)
            #expect(passed.last?.upperBound == places.last?.upperBound)
        }
        #expect(heard == 150 * 60_000)
        #expect(zip(passed, passed.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(passed.count == 3)
    }

    // MARK: - Helpers

    private func outline(of text: String, most: Int = 100) throws -> JSONOutline? {
        try Array(text.utf8).withUnsafeBytes {
            try JSONOutline($0, leaving: ["of", "items"], listing: ["items"], opening: "of", most: most)
        }
    }

    private func part(_ text: String, _ place: Range<Int>) -> String {
        String(decoding: Array(text.utf8)[place], as: UTF8.self)
    }
}
