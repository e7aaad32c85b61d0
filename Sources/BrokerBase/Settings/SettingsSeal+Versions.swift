package import AutoFillProtocol
package import KeywaySystem

/// The newest versions of the files of providers, which stand in the register of the settings.
extension SettingsSeal {
    /// The newest version of a file of `provider` that was noted.
    ///
    /// - Throws: ``ProtocolError`` with the code `locked` while that cannot be known, since there is no key.
    package func version(of file: String, _ provider: String) throws(ProtocolError) -> ReadVersion.Result {
        guard let known = withRegister({ $0.version(of: file, provider) }) else {
            throw ProtocolError(.locked, "The register is not readable while the login session is locked.")
        }
        if known.isLost { tellLostVersions(provider) }
        return ReadVersion.Result(version: known.version, isLost: known.isLost)
    }

    /// Remembers the version of a file of `provider`; an older one changes nothing.
    ///
    /// - Throws: ``ProtocolError``: `locked` while there is no key; `system`, and it is remembered until this broker ends.
    package func note(_ version: UInt64, of file: String, _ provider: String) throws(ProtocolError) {
        guard try noteInRegister(version, of: file, provider) else {
            throw ProtocolError(.locked, "The register is not writable while the login session is locked.")
        }
        believe(Self.place(of: provider))
    }

    private func tellLostVersions(_ provider: String) {
        disbelieve(
            Self.place(of: provider),
            "\(SettingsRegister.name), which records how new the files of \(provider) are, is missing or was changed by another program. "
                + "Keyway can't tell this time whether somebody put back an older copy of them: check whether everything is "
                + "there.")
    }

    /// Under which name what is lost of `provider` is told.
    private static func place(of provider: String) -> String { "\(SettingsRegister.name): \(provider)" }
}
