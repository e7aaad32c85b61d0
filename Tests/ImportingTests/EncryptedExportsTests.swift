import Testing

@testable import Importing

/// Exports under a password, written by `Tests/Vectors/imports/encrypted.py`.
@Suite("encrypted exports")
struct EncryptedExportsTests {
    private static let password = "correct horse"
    private static let files: [(String, ImportFormat)] = [
        ("bitwarden/encrypted-argon2id.json", .bitwardenJSON), ("authenticators/aegis-encrypted.json", .aegis),
        ("authenticators/2fas-encrypted.2fas", .twoFAS),
    ]

    private func code(_ body: () throws -> Void) -> ImportError.Code? {
        #expect(throws: ImportError.self, performing: body)?.code
    }

    @Test(arguments: files)
    func thePasswordOpensThem(file: String, format: ImportFormat) throws {
        let found = try Import(own: file, password: Self.password)
        #expect(found.format == format)
        #expect(found.records.map(\.title) == ["Mail"])
        #expect(found.records.map(\.userName) == ["ada"])
        #expect(code { _ = try Import(own: file) } == .needsPassword)
        #expect(code { _ = try Import(own: file, password: "correct horsf") } == .wrongPassword)
    }

    @Test(arguments: ["authenticators/aegis-encrypted.json", "authenticators/2fas-encrypted.2fas"])
    func codesAndTheirGroupsArrive(file: String) throws {
        let record = try #require(try Import(own: file, password: Self.password).records.first)
        #expect(record.folder == ["Work"])
        let code = try #require(record.codes.first.map(Record.Code.init))
        #expect(code.secret == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    }

    private func changed(_ file: String, _ from: String, _ to: String) throws -> [UInt8] {
        let text = String(decoding: try Fixtures.bytes(file), as: UTF8.self)
        try #require(text.contains(from))
        return Array(text.replacing(from, with: to).utf8)
    }

    @Test(arguments: [
        ("bitwarden/encrypted-argon2id.json", "\"kdfMemory\":16,", "\"kdfMemory\":1025,"),
        ("bitwarden/encrypted-argon2id.json", "\"kdfMemory\":16,", "\"kdfMemory\":9223372036854775807,"),
        ("bitwarden/encrypted-argon2id.json", "\"kdfIterations\":3,", "\"kdfIterations\":4000000000,"),
        ("authenticators/aegis-encrypted.json", "\"n\":32768,", "\"n\":2097152,"),
        ("authenticators/aegis-encrypted.json", "\"p\":1,", "\"p\":4000000000,"),
        ("authenticators/aegis-encrypted.json", "\"r\":8,", "\"r\":9223372036854775807,"),
    ])
    func aKeyThatTakesTooMuchIsNotComputed(file: String, from: String, to: String) throws {
        let bytes = try changed(file, from, to)
        #expect(code { _ = try Import(bytes, password: Self.password) } == .tooCostly)
    }

    @Test(arguments: [
        ("bitwarden/encrypted-argon2id.json", 16 << 20), ("authenticators/aegis-encrypted.json", (32 << 20) + 1024),
    ])
    func aKeyThatTakesMuchMemoryIsForThePersonToAllow(file: String, memory: Int) throws {
        let bytes = try Fixtures.bytes(file)
        let error = #expect(throws: ImportError.self) {
            try Import(bytes, password: Self.password, memory: memory - 1024)
        }
        #expect(error?.code == .needsMemory)
        #expect(error?.memory == memory)
        #expect(try Import(bytes, password: Self.password, memory: memory).records.count == 1)
    }

    @Test(arguments: [
        ("bitwarden/encrypted-argon2id.json", "\"kdfType\":1", "\"kdfType\":2", ImportError.Code.unsupported),
        ("bitwarden/encrypted-argon2id.json", "\"kdfParallelism\":4", "\"kdfParallelism\":0", .damaged),
        ("authenticators/aegis-encrypted.json", "\"n\":32768,", "\"n\":32767,", .damaged),
        ("authenticators/aegis-encrypted.json", "\"db\":\"", "\"db\":\"AAAA", .damaged),
        ("authenticators/aegis-encrypted.json", "\"type\":1,", "\"type\":0,", .unsupported),
        ("authenticators/2fas-encrypted.2fas", "\"servicesEncrypted\":\"", "\"servicesEncrypted\":\"AAAA", .damaged),
        ("authenticators/2fas-encrypted.2fas", "\"servicesEncrypted\":\"", "\"servicesEncrypted\":\":", .damaged),
    ])
    func damageIsToldFromAnotherPassword(file: String, from: String, to: String, code: ImportError.Code) throws {
        let bytes = try changed(file, from, to)
        #expect(self.code { _ = try Import(bytes, password: Self.password) } == code)
    }

    @Test(arguments: files.map(\.0))
    func noTruncatedFileIsRead(file: String) throws {
        let bytes = try Fixtures.bytes(file)
        for percent in 0..<100 {
            _ = code { _ = try Import(Array(bytes[..<(bytes.count * percent / 100)]), password: Self.password) }
        }
    }
}
