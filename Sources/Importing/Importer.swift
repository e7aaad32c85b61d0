package import CredentialExchange
package import KeywayCrypto
import OtherCiphers
import SecretDocuments
import ZipArchives

/// What a reader finds in a file, piece by piece.
package enum ImportEvent: Sendable {
    /// An entry.
    case record(ImportedRecord)
    /// An item that is one of CXF already, with what there is to say of it: it goes on as it is.
    case item(ExchangeItem, ImportOrigin)
    /// Something that is left out.
    case skipped(SkippedEntry)
}

/// A file to import, and what is known of it from elsewhere.
package struct ImportSource {
    /// What is in the file; it must stay while it is read.
    package let bytes: UnsafeRawBufferPointer
    /// The file's password, where it has one.
    package let password: SecretBytes?
    /// What is in the key file that opens it beside the password or in its place, where it has one.
    package let keyFile: SecretBytes?
    /// The most memory that deriving its key may take, in bytes. Whoever has asked the person may raise it, up to
    /// ``mostDerivationMemory``.
    package let derivationMemory: Int
    /// Now, in seconds since 1970: nothing in the file is from more than a year later.
    package let now: Int64
    /// How much of a document of CXF is read.
    package var bounds = ExchangeReader.Bounds.anybodys
    /// Where what is in attached files goes; nil where they are left out.
    package var files: FileSink?
    /// The archive that holds the bytes and such files, where they are a member of one.
    var archive: ZipArchive?

    /// What deriving a key may take without a question to the person, in bytes.
    package static let usualDerivationMemory = DerivationLimits.usualMemory
    /// What it may take at all, in bytes.
    package static let mostDerivationMemory = DerivationLimits.mostMemory

    /// A file.
    package init(
        _ bytes: UnsafeRawBufferPointer, password: SecretBytes? = nil, keyFile: SecretBytes? = nil,
        derivationMemory: Int = usualDerivationMemory, now: Int64
    ) {
        self.bytes = bytes
        self.password = password
        self.keyFile = keyFile
        self.derivationMemory = derivationMemory
        self.now = now
    }
}

/// Where readers put what they find; whoever takes it may end the import by throwing.
typealias ImportSink = (ImportEvent) throws(ImportError) -> Void

/// Reads other programs' exports: recognised by what is in them, never by their names.
package enum Importer {
    /// Reads a file and hands on what is in it, entry by entry and in its order. Of a damaged file some entries may be
    /// handed on before the error; whoever stores them stores all or none.
    ///
    /// - Returns: the format of the file.
    /// - Throws: ``ImportError``, also what `take` throws.
    @discardableResult
    package static func read(
        _ source: ImportSource, _ take: (ImportEvent) throws(ImportError) -> Void
    ) throws(ImportError) -> ImportFormat {
        let format = try ImportFormat.recognize(source.bytes)
        try read(source, as: format, take)
        return format
    }

    /// Reads a file of a known format.
    package static func read(
        _ source: ImportSource, as format: ImportFormat, _ take: (ImportEvent) throws(ImportError) -> Void
    ) throws(ImportError) {
        guard let reader = ImportFormat.readers[format] else {
            throw ImportError(.unsupported, "Keyway recognizes this file, and can't read it")
        }
        try reader(source, take)
    }

    /// Reads rows of any CSV file by a mapping of its columns.
    package static func read(
        _ source: ImportSource, by mapping: ColumnMapping, _ take: (ImportEvent) throws(ImportError) -> Void
    ) throws(ImportError) {
        let rows = { (header: CSVHeader, _: UnsafeRawBufferPointer) throws(ImportError) -> any CSVRows in
            try mapping.check(header)
            return mapping
        }
        try CSVTable.read(source.bytes, rows, take)
    }
}
