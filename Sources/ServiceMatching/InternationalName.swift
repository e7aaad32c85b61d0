import CIDN2

/// Host names in scripts other than ASCII (UTS #46, as browsers read them). The only user of libidn2.
enum InternationalName {
    /// The ASCII form of `name`, such as `xn--bcher-kva.example` for `bücher.example`.
    ///
    /// - Returns: nil when it is no host name: a label that IDNA 2008 forbids, or one that is too long.
    static func ascii(_ name: String) -> String? {
        guard !name.utf8.contains(0) else { return nil }
        let flags = CInt(IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)
        var result: UnsafeMutablePointer<UInt8>?
        let status = name.withCString(encodedAs: UTF8.self) { idn2_lookup_u8($0, &result, flags) }
        guard status == IDN2_OK.rawValue, let result else { return nil }
        defer { idn2_free(result) }
        return String(validatingCString: UnsafeRawPointer(result).assumingMemoryBound(to: CChar.self))
    }

    /// The name that an ASCII form stands for, such as `bücher.example`.
    ///
    /// - Returns: nil when a label that begins with `xn--` stands for none.
    static func unicode(_ name: String) -> String? {
        guard name.contains("xn--") else { return name }
        var result: UnsafeMutablePointer<CChar>?
        let status = name.withCString { idn2_to_unicode_8z8z($0, &result, 0) }
        guard status == IDN2_OK.rawValue, let result else { return nil }
        defer { idn2_free(result) }
        return String(validatingCString: result)
    }
}
