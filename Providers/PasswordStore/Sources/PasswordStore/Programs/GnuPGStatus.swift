/// What gpg tells programs (`doc/DETAILS` of GnuPG).
struct GnuPGStatus {
    private let lines: [[Substring]]

    /// Reads the lines; what is no status line says nothing.
    init(_ lines: [String]) {
        self.lines = lines.filter { $0.hasPrefix("[GNUPG:] ") }.map { $0.dropFirst(9).split(separator: " ") }
    }

    /// Whether there is a line of that kind.
    func contains(_ keyword: String) -> Bool {
        lines.contains { $0.first == keyword[...] }
    }

    /// To whom the file is encrypted: key numbers of 16 digits.
    var recipients: [String] { arguments("ENC_TO").compactMap { $0.first.map(String.init) } }

    /// Whether a recipient is not named.
    var hasHiddenRecipients: Bool { recipients.contains { $0.allSatisfy { $0 == "0" } } }

    /// Whether the agent does not let us pass a passphrase on.
    var refusedPinentryMode: Bool { arguments("ERROR").contains { $0.first == "set_pinentry_mode" } }

    /// The first recipient to whom gpg cannot encrypt.
    var invalidRecipient: String? {
        arguments("INV_RECP").first { $0.count > 1 }.map { $0.dropFirst().joined(separator: " ") }
    }

    /// The fingerprints of valid signatures, and of the primary keys behind them.
    var signers: Set<String> {
        Set(arguments("VALIDSIG").flatMap { [$0.first, $0.last] }.compactMap { $0.map(String.init) })
    }

    private func arguments(_ keyword: String) -> [ArraySlice<Substring>] {
        lines.filter { $0.first == keyword[...] }.map { $0.dropFirst() }
    }
}

/// Which secret keys there are (`--list-secret-keys --with-colons`), and where.
struct SecretKeys {
    private enum Place {
        case disk
        case card
        case nowhere
    }

    private var places: [String: Place] = [:]

    /// Reads a listing.
    init(listing: SecretBuffer) {
        let text = listing.withBytes { String(decoding: $0, as: UTF8.self) }
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count > 14, ["sec", "ssb"].contains(fields[0]) else { continue }
            // Field 15: `+` for a key that is there, `#` for one that is not, else the number of a card.
            places[String(fields[4])] =
                fields[14] == "+" ? .disk : fields[14] == "#" || fields[14].isEmpty ? .nowhere : .card
        }
    }

    /// Whether one of these keys lies in the keyring. Numbers of zeros mean any.
    func isAnyOnDisk(_ numbers: [String]) -> Bool { isAny(numbers, .disk) }

    /// Whether one of these keys lies on a smartcard.
    func isAnyOnCard(_ numbers: [String]) -> Bool { isAny(numbers, .card) }

    private func isAny(_ numbers: [String], _ place: Place) -> Bool {
        numbers.contains { number in
            number.allSatisfy { $0 == "0" } ? places.values.contains(place) : places[number] == place
        }
    }
}
