import CQREncode
import Glibc
package import KeywayCrypto
import PNGPictures

/// A QR code (ISO/IEC 18004) of a secret, as squares, and drawn with characters.
package struct QRCode: Sendable {
    /// How many squares a side has, without the margin.
    package let width: Int
    /// 1 for each dark square, line by line.
    private let squares: SecretBytes
    /// The light squares around it (section 5.3.8).
    package static let margin = 4

    /// The smallest code for `text` that still reads with 15 % of it hidden; nil for nothing, and for more than the
    /// largest code holds: 2331 bytes.
    package init?(_ text: SecretBytes) {
        let code = text.withUnsafeBytes { bytes in
            QRcode_encodeData(CInt(bytes.count), bytes.octets, 0, QR_ECLEVEL_M)
        }
        guard let code else { return nil }
        let width = Int(code.pointee.width)
        let drawn = UnsafeMutableRawBufferPointer(start: code.pointee.data, count: width * width)
        squares = SecretBytes(count: drawn.count) { room in
            // The lowest bit is the colour; the others say what the square is for.
            for index in drawn.indices { room[index] = drawn[index] & 1 }
        }
        self.width = width
        wipe(drawn)
        QRcode_free(code)
    }

    /// Whether a square is dark; what lies outside is light.
    package func isDark(_ column: Int, _ row: Int) -> Bool {
        guard (0..<width).contains(column), (0..<width).contains(row) else { return false }
        return squares.withUnsafeBytes { $0[row * width + column] == 1 }
    }

    /// The code as the file of a PNG picture, each square eight points wide; nil where there is no memory for it.
    package var png: SecretBytes? {
        let scale = 8
        let side = scale * (width + 2 * Self.margin)
        let points = SecretBytes(count: side * side) { room in
            for row in 0..<side {
                for column in 0..<side {
                    let dark = isDark(column / scale - Self.margin, row / scale - Self.margin)
                    room[row * side + column] = dark ? 0 : 255
                }
            }
        }
        return PNGPicture.write(width: side, height: side, points: points)
    }

    /// Draws it for a terminal, two squares above each other in each character: black on white whatever the terminal's
    /// colours are, with its margin.
    package func draw(_ append: (String) -> Void) {
        let range = -Self.margin..<width + Self.margin
        for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            append("\u{1B}[40;97m")
            for column in range {
                switch (isDark(column, row), isDark(column, row + 1)) {
                case (true, true): append(" ")
                case (true, false): append("▄")
                case (false, true): append("▀")
                case (false, false): append("█")
                }
            }
            append("\u{1B}[0m\n")
        }
    }
}
