import KeywayCrypto
import QRReading
import Testing

@testable import QRWriting

/// The codes that are drawn, judged by zbar.
@Suite struct QRCodeTests {
    private static func secret(_ count: Int) -> SecretBytes {
        SecretBytes(copying: (0..<count).map { UInt8(ascii: "!") + UInt8($0 % 90) })
    }

    /// The code as a picture, each square three points wide.
    private static func picture(_ code: QRCode) -> GreyPicture {
        let side = 3 * (code.width + 2 * QRCode.margin)
        let points = SecretBytes(count: side * side) { room in
            for index in room.indices {
                let (column, row) = (index % side / 3 - QRCode.margin, index / side / 3 - QRCode.margin)
                room[index] = code.isDark(column, row) ? 0 : 255
            }
        }
        return GreyPicture(width: side, height: side, points: points)
    }

    @Test(arguments: [1, 60, 300, 1000, 2331]) func whatIsDrawnIsReadAsItWas(count: Int) throws {
        let code = try #require(QRCode(Self.secret(count)))
        #expect(try QRScanner.texts(in: Self.picture(code)) == [Self.secret(count)])
    }

    @Test(arguments: [1, 300, 2331]) func thePictureIsReadAsItWas(count: Int) throws {
        let file = try #require(QRCode(Self.secret(count))?.png)
        let picture = try file.withUnsafeBytes { (bytes) throws(PictureError) in try GreyPicture(bytes) }
        #expect(try QRScanner.texts(in: picture) == [Self.secret(count)])
    }

    @Test(arguments: [0, 2332, 1 << 20]) func whatFitsNoCodeIsNone(count: Int) {
        #expect(QRCode(Self.secret(count)) == nil)
    }

    /// Read back from the characters, as an eye would.
    @Test func theTerminalShowsTheSquaresWithTheirMargin() throws {
        let code = try #require(QRCode(Self.secret(60)))
        var drawn = ""
        code.draw { drawn += $0 }
        let lines = drawn.split(separator: "\n").map {
            $0.replacing("\u{1B}[40;97m", with: "").replacing("\u{1B}[0m", with: "")
        }
        let side = code.width + 2 * QRCode.margin
        #expect(lines.count == (side + 1) / 2)
        for (index, line) in lines.enumerated() {
            #expect(line.count == side)
            for (column, character) in line.enumerated() {
                let upper = code.isDark(column - QRCode.margin, 2 * index - QRCode.margin)
                let lower = code.isDark(column - QRCode.margin, 2 * index + 1 - QRCode.margin)
                let expected: Character = upper ? (lower ? " " : "▄") : (lower ? "▀" : "█")
                #expect(character == expected)
            }
        }
    }
}
