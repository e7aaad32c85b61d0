package import AutoFillWire

/// How an item of a document stands to what the vault has.
package enum ImportVerdict: String, Codable, CaseIterable, Hashable, Sendable {
    /// Nothing there is of this account.
    case new
    /// All that it says is there already: same site, same user name, same secrets.
    case duplicate
    /// There is the same user name at the same site, with another secret, or less of it.
    case conflict
    /// It can't be stored.
    case refused
}

/// What becomes of items that are in conflict with what the vault has.
package enum ConflictChoice: String, Codable, CaseIterable, Hashable, Sendable {
    /// They are stored beside what is there.
    case keepBoth
    /// They are left out.
    case skip
    /// What is there gets what they say; a password that is replaced goes into its history, and nothing else is lost.
    case replace
}

/// What is said of one item of a document. Items that are new, and of which nothing is left out, have no finding.
package struct ImportFinding: Codable, Hashable, Sendable {
    /// What became of it.
    package enum Outcome: String, Codable, CaseIterable, Hashable, Sendable {
        /// It is an item of the vault now.
        case added
        /// An item of the vault was changed to what it says.
        case replaced
        /// It was left out.
        case leftOut
    }

    /// An item of the vault.
    package struct Stored: Codable, Hashable, Sendable {
        /// Its identifier.
        package let id: String
        /// Its title.
        package let title: String
        /// Its user name.
        package let user: String

        /// An item of the vault.
        package init(id: String, title: String, user: String) {
            self.id = id
            self.title = title
            self.user = user
        }
    }

    /// Which item of the document, counted from 0 through all of its accounts.
    package let item: Int
    /// How it stands to what the vault has.
    package let verdict: ImportVerdict
    /// What became of it; nil where it was only compared.
    package let outcome: Outcome?
    /// What the vault has, of a duplicate or conflict.
    package let stored: Stored?
    /// Of a duplicate of another item of the same document: which.
    package let sameAs: Int?
    /// Why it can't be stored: a sentence.
    package let reason: String?
    /// What of it is left out or changed, and why: sentences.
    package let notices: [String]?

    /// A finding by its parts.
    package init(
        item: Int, verdict: ImportVerdict, outcome: Outcome? = nil, stored: Stored? = nil, sameAs: Int? = nil,
        reason: String? = nil, notices: [String]? = nil
    ) {
        self.item = item
        self.verdict = verdict
        self.outcome = outcome
        self.stored = stored
        self.sameAs = sameAs
        self.reason = reason
        self.notices = notices
    }
}

/// How many items of a document stand how to what the vault has.
package struct ImportCounts: Codable, Hashable, Sendable {
    /// How many are ``ImportVerdict/new``.
    package var new: Int
    /// How many are ``ImportVerdict/duplicate``.
    package var duplicates: Int
    /// How many are ``ImportVerdict/conflict``.
    package var conflicts: Int
    /// How many are ``ImportVerdict/refused``.
    package var refused: Int

    /// Counts.
    package init(new: Int = 0, duplicates: Int = 0, conflicts: Int = 0, refused: Int = 0) {
        self.new = new
        self.duplicates = duplicates
        self.conflicts = conflicts
        self.refused = refused
    }

    /// How many there are in all.
    package var total: Int { new + duplicates + conflicts + refused }
}

/// Compares a document of CXF 1.0 with the vault, and changes nothing.
package enum CompareDocument: RemoteMethod {
    package struct Parameters: Codable, Sendable {
        /// The document: a sealed memory file of at most 128 MiB, and behind it what is in its files, at most 256 MiB.
        package let document: Attachment

        /// Compares `document`.
        package init(document: Attachment) {
            self.document = document
        }
    }

    package struct Result: Codable, Sendable {
        /// How many items stand how.
        package let counts: ImportCounts
        /// What is said of items by their numbers: a sealed memory file, see ``ImportFindings``.
        package let findings: Attachment

        /// What was found.
        package init(counts: ImportCounts, findings: Attachment) {
            self.counts = counts
            self.findings = findings
        }
    }

    package static let name = "exchange.compare"
    package static let callers: Set<Role> = [.serviceClient]
}

/// Stores what is sound in a document of CXF 1.0, in one transaction: all of it, or nothing.
package enum ImportDocument: RemoteMethod {
    package struct Parameters: Codable, Sendable {
        /// The document: a sealed memory file of at most 128 MiB, and behind it what is in its files, at most 256 MiB.
        package let document: Attachment
        /// What becomes of items that are in conflict with what the vault has.
        package let conflicts: ConflictChoice

        /// Imports `document`.
        package init(document: Attachment, conflicts: ConflictChoice) {
            self.document = document
            self.conflicts = conflicts
        }
    }

    package struct Result: Codable, Sendable {
        /// How many items stood how.
        package let counts: ImportCounts
        /// How many items the vault has more.
        package let added: Int
        /// How many of its items were changed.
        package let replaced: Int
        /// How many items of the document were left out.
        package let leftOut: Int
        /// How many items ``UndoImport`` takes back.
        package let undoable: Int
        /// What is said of items by their numbers: a sealed memory file, see ``ImportFindings``.
        package let findings: Attachment

        /// What was done.
        package init(
            counts: ImportCounts, added: Int, replaced: Int, leftOut: Int, undoable: Int, findings: Attachment
        ) {
            self.counts = counts
            self.added = added
            self.replaced = replaced
            self.leftOut = leftOut
            self.undoable = undoable
            self.findings = findings
        }
    }

    package static let name = "exchange.import"
    package static let callers: Set<Role> = [.serviceClient]
}

/// How far a comparison or an import is; told to whoever asked for it.
package enum ExchangeProgress: RemoteNotification {
    package struct Parameters: Codable, Hashable, Sendable {
        /// How many items of the document were gone through. Of an import, none of them is stored before all are.
        package let done: Int
        /// How many there are.
        package let total: Int

        /// `done` of `total`.
        package init(done: Int, total: Int) {
            self.done = done
            self.total = total
        }
    }

    package static let name = "exchange.progress"
    package static let callers: Set<Role> = [.providerService]
}

/// Takes back the last import in one transaction. Items that were changed since stay as they are.
package enum UndoImport: RemoteMethod {
    package typealias Parameters = Nothing

    package struct Result: Codable, Hashable, Sendable {
        /// How many items were removed, which the import had added.
        package let removed: Int
        /// How many items are again what they were before the import.
        package let restored: Int
        /// Items that stay, since somebody changed them after the import; the first 100.
        package let kept: [ImportFinding.Stored]
        /// How many stay in all.
        package let keptCount: Int

        /// What was taken back.
        package init(removed: Int, restored: Int, kept: [ImportFinding.Stored], keptCount: Int) {
            self.removed = removed
            self.restored = restored
            self.kept = kept
            self.keptCount = keptCount
        }
    }

    package static let name = "exchange.undo"
    package static let callers: Set<Role> = [.serviceClient]
}

/// Writes everything that the vault has as a document of CXF 1.0. Asks for the master password although the vault is open.
package enum ExportDocument: RemoteMethod {
    package struct Parameters: Codable, Sendable {
        /// The master password.
        package let masterPassword: Attachment

        /// An export, allowed by `masterPassword`.
        package init(masterPassword: Attachment) {
            self.masterPassword = masterPassword
        }
    }

    /// Something that the document doesn't have.
    package struct Loss: Codable, Hashable, Sendable {
        /// The title of the item.
        package let title: String
        /// Its user name.
        package let user: String
        /// What is missing, and why: a sentence.
        package let reason: String

        /// A loss.
        package init(title: String, user: String, reason: String) {
            self.title = title
            self.user = user
            self.reason = reason
        }
    }

    package struct Result: Codable, Sendable {
        /// The document, not sealed by any key, and behind it what is in its files: a sealed memory file.
        package let document: Attachment
        /// What a document by itself lacks beside that, since it has no place for what is in files; the first 1,000.
        package let fileLosses: [Loss]?
        /// How many items it has.
        package let items: Int
        /// What it lacks; the first 1,000.
        package let losses: [Loss]
        /// How many losses there are in all.
        package let lossCount: Int

        /// A document.
        package init(
            document: Attachment, items: Int, losses: [Loss], lossCount: Int, fileLosses: [Loss]? = nil
        ) {
            self.fileLosses = fileLosses
            self.document = document
            self.items = items
            self.losses = losses
            self.lossCount = lossCount
        }
    }

    package static let name = "exchange.export"
    package static let callers: Set<Role> = [.serviceClient]
}

/// Writes everything that the vault has as a document for another manager: of CXF 1.0, with what the types of the API have
/// places for. For the app alone. Asks for the master password although the vault is open.
package enum HandOverDocument: RemoteMethod {
    package struct Parameters: Codable, Sendable {
        /// The master password.
        package let masterPassword: Attachment

        /// An export, allowed by `masterPassword`.
        package init(masterPassword: Attachment) {
            self.masterPassword = masterPassword
        }
    }

    package typealias Result = ExportDocument.Result

    package static let name = "exchange.handOver"
    package static let callers: Set<Role> = [.serviceClient]
}
