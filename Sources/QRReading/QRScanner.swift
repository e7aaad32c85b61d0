import CZBar
package import KeywayCrypto

/// Finds QR codes in a picture.
package enum QRScanner {
    /// The most codes that one picture is asked for.
    package static let mostCodes = 16

    /// What the codes in `picture` say, byte by byte: dark ones on light, or where there are none, light ones on dark.
    ///
    /// - Throws: ``PictureError``: `failed`.
    package static func texts(in picture: GreyPicture) throws(PictureError) -> [SecretBytes] {
        let texts = try darkTexts(in: picture)
        // The library's own way (ZBAR_CFG_TEST_INVERTED) reads and writes eight points at a time, past the last one.
        return texts.isEmpty ? try darkTexts(in: picture.inverted) : texts
    }

    private static func darkTexts(in picture: GreyPicture) throws(PictureError) -> [SecretBytes] {
        guard let scanner = zbar_image_scanner_create(), let image = zbar_image_create() else {
            throw PictureError(.failed, "scanner")
        }
        defer {
            zbar_image_destroy(image)
            zbar_image_scanner_destroy(scanner)
        }
        // Of all that it knows, this alone; and as bytes, since text is a guess.
        let settings: [(zbar_symbol_type_t, zbar_config_t, CInt)] = [
            (ZBAR_NONE, ZBAR_CFG_ENABLE, 0), (ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1), (ZBAR_QRCODE, ZBAR_CFG_BINARY, 1),
        ]
        for (type, setting, value) in settings {
            guard zbar_image_scanner_set_config(scanner, type, setting, value) == 0 else {
                throw PictureError(.failed, "setting of the scanner")
            }
        }
        zbar_image_set_format(image, czbar_grey())
        zbar_image_set_size(image, UInt32(picture.width), UInt32(picture.height))
        return try picture.points.withUnsafeBytes { (points) throws(PictureError) in
            zbar_image_set_data(image, points.baseAddress, UInt(points.count), nil)
            guard zbar_scan_image(scanner, image) >= 0 else { throw PictureError(.failed, "scan") }
            return texts(of: image)
        }
    }

    private static func texts(of image: OpaquePointer) -> [SecretBytes] {
        var texts: [SecretBytes] = []
        var symbol = zbar_image_first_symbol(image)
        while let each = symbol, texts.count < mostCodes {
            if zbar_symbol_get_type(each) == ZBAR_QRCODE, let data = zbar_symbol_get_data(each) {
                let bytes = UnsafeRawBufferPointer(start: data, count: Int(zbar_symbol_get_data_length(each)))
                texts.append(SecretBytes(copying: bytes))
            }
            symbol = zbar_symbol_next(each)
        }
        return texts
    }
}
