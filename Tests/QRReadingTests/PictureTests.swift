import FoundationEssentials
import KeywayCrypto
import Testing

@testable import QRReading

/// Pictures as they come: read, or refused before they cost anything.
@Suite struct PictureTests {
    static func file(_ name: String) throws -> [UInt8] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: tests.appending(path: "Vectors/otp/\(name)")))
    }

    static func picture(_ file: [UInt8]) throws -> GreyPicture {
        try file.lend { (bytes) throws(PictureError) in try GreyPicture(bytes) }
    }

    private static func texts(_ file: [UInt8]) throws -> [String] {
        try QRScanner.texts(in: picture(file)).map { $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }

    @Test(arguments: ["qr-link.png", "qr-link.jpg"]) func aCodeInAPictureIsRead(name: String) throws {
        let link = "otpauth://totp/Example:ada?secret=JBSWY3DPEHPK3PXP&issuer=Example"
        #expect(try Self.texts(Self.file(name)) == [link])
    }

    @Test func aCodeInLightOnDarkIsRead() throws {
        let picture = try Self.picture(Self.file("qr-link.png"))
        let inverted = picture.inverted
        #expect(picture.points != inverted.points)
        #expect(try QRScanner.texts(in: inverted).count == 1)
    }

    @Test func aPictureWithoutACodeHasNone() throws {
        let white = SecretBytes(count: 100 * 100) { room in for index in room.indices { room[index] = 255 } }
        #expect(try QRScanner.texts(in: GreyPicture(width: 100, height: 100, points: white)).isEmpty)
    }

    @Test(arguments: [[], Array("GIF89a".utf8), Array("<svg/>".utf8), [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF]])
    func whatIsNoPictureIsRefused(file: [UInt8]) {
        #expect(throws: PictureError(.unreadable, "")) { try Self.picture(file) }
    }

    /// The header of a picture, and nothing behind it.
    private static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        func check(_ bytes: [UInt8]) -> UInt32 {
            ~bytes.reduce(UInt32.max) { sum, byte in
                (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
            }
        }
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            let named = Array(name.utf8) + content
            return bytes(UInt32(content.count)) + named + bytes(check(named))
        }
        return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + chunk("IHDR", bytes(width) + bytes(height) + [8, 0, 0, 0, 0])
            + chunk("IDAT", [0x78, 0x9C, 3, 0, 0, 0, 0, 1]) + chunk("IEND", [])
    }

    @Test(arguments: [(UInt32(50_001), UInt32(1000)), (1000, 50_001), (1, 900_000_000)])
    func aPictureOfTooManyPointsIsRefusedByItsHeader(width: UInt32, height: UInt32) {
        // libpng itself refuses sides of over a million points.
        let code: PictureError.Code = max(width, height) > 1_000_000 ? .unreadable : .tooLarge
        #expect(throws: PictureError(code, "")) { try Self.picture(Self.png(width, height)) }
    }

    @Test func aJPEGOfTooManyPointsIsRefusedByItsHeader() throws {
        var file = try Self.file("qr-link.jpg")
        let frame = try #require(file.indices.first { file[$0] == 0xFF && [0xC0, 0xC2].contains(file[$0 + 1]) })
        file.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
        #expect(throws: PictureError(.tooLarge, "")) { try Self.picture(file) }
    }

    @Test func aFileThatIsTooLongIsNotLookedAt() throws {
        let file = try Self.file("qr-link.png") + [UInt8](repeating: 0, count: GreyPicture.longestFile)
        #expect(throws: PictureError(.tooLarge, "")) { try Self.picture(file) }
    }

    @Test(arguments: ["qr-link.png", "qr-link.jpg"]) func aPictureThatIsCutOffIsReadOrRefused(name: String) throws {
        let file = try Self.file(name)
        for count in stride(from: 0, to: file.count, by: 13) { _ = try? Self.texts(Array(file.prefix(count))) }
        #expect(throws: PictureError.self) { try Self.picture(Array(file.prefix(64))) }
    }

    @Test(arguments: ["qr-link.png", "qr-link.jpg"]) func aPictureWithAnotherBitIsReadOrRefused(name: String) throws {
        let file = try Self.file(name)
        for bit in stride(from: 0, to: 8 * file.count, by: 37) {
            var other = file
            other[bit / 8] ^= 1 << (bit % 8)
            _ = try? Self.texts(other)
        }
        #expect(try Self.texts(file).count == 1)
    }

    @Test(arguments: [
        ("otpauth://totp/x?secret=AA", true), ("OTPAUTH://TOTP/X?SECRET=AA", true), ("apple-otpauth://totp/x", true),
        ("otpauth-migration://offline?data=AA", true), ("steam://AA", true), ("https://a.example", false), ("", false),
        ("otpauth", false), ("otpauth://totp/a b?secret=AA", false), ("otpauth://totp/a\nb", false),
        ("otpauth://totp/ä", false), ("xotpauth://totp/x", false),
    ])
    func nothingButLinksForCodesIsSaid(text: String, isLink: Bool) {
        #expect(Array(text.utf8).withUnsafeBytes(QRReaderCommand.isLink) == isLink)
    }
}
