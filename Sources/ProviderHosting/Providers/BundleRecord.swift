import AutoFillProtocol
import BrokerBase
import FoundationEssentials
import Glibc
import KeywaySystem

/// What a bundle contained when the person turned it on. Only what they agreed to may run.
struct BundleRecord: Codable, Hashable, Sendable {
    /// The user that the bundle's files belonged to.
    let owner: UInt32
    /// What Info.plist and the programs held, in hexadecimal digits; nil where they could not be read.
    let digest: String?
    /// Whether all of it was the system's: then a new release of it is the package manager's business.
    let isSystem: Bool
    /// What the bundle declared that widens what it may do.
    let declared: Set<String>

    /// Whether a bundle that is `now` is still the one that was turned on.
    ///
    /// What the system installed may change as long as it asks for nothing more; of anything else each byte counts.
    func covers(_ now: BundleRecord) -> Bool {
        if isSystem && now.isSystem { return owner == now.owner && now.declared.isSubset(of: declared) }
        return owner == now.owner && digest != nil && digest == now.digest && declared == now.declared
    }

    /// What a bundle that is `now` declares beyond the one that was turned on; nil unless both are the system's and of one
    /// owner.
    func added(by now: BundleRecord) -> Set<String>? {
        guard isSystem, now.isSystem, owner == now.owner else { return nil }
        return now.declared.subtracting(declared)
    }
}

/// Looks at bundles, and reads a file again only when it may have changed.
struct BundleExaminer: Sendable {
    private struct Known {
        let file: ProgramFile
        let digest: [UInt8]
    }

    private var known: [String: Known] = [:]
    /// Whose files are the system's.
    private let isSystemOwner: @Sendable (UInt32) -> Bool
    /// Which bundles came with this broker.
    private let own: OwnProviders
    /// How many files were read.
    private(set) var readings = 0

    /// An examiner for whom the files of `isSystemOwner` are the system's: root's.
    init(own: OwnProviders = .ofThisProcess, isSystemOwner: @escaping @Sendable (UInt32) -> Bool = { $0 == 0 }) {
        self.own = own
        self.isSystemOwner = isSystemOwner
    }

    /// Whether `bundle` is still what was turned on as `record`.
    ///
    /// The programs of what the system installed, then and now, are not read: the package manager may change them.
    mutating func isCovered(_ bundle: ProviderBundle, by record: BundleRecord) -> Bool {
        record.covers(examine(bundle, needsDigest: !record.isSystem))
    }

    /// What `bundle` is now, and what it declares beyond before, where it came with this broker and is else what was turned
    /// on as `record`; nil for any other.
    mutating func upgraded(
        _ bundle: ProviderBundle, since record: BundleRecord
    ) -> (now: BundleRecord, added: Set<String>)? {
        guard record.isSystem, own.contains(bundle) else { return nil }
        let now = examine(bundle, needsDigest: false)
        return record.added(by: now).map { (now, $0) }
    }

    /// What `bundle` is now.
    ///
    /// - Parameter needsDigest: whether it is read also where all of it is the system's.
    mutating func examine(_ bundle: ProviderBundle, needsDigest: Bool = true) -> BundleRecord {
        let folder = ProgramFile(path: bundle.path)
        let paths = Self.files(of: bundle)
        let files = [folder] + paths.map { ProgramFile(path: $0) }
        let owners = Set(files.map { $0?.owner })
        let isSystem =
            bundle.scope == .system
            && files.allSatisfy { file in file.map { isSystemOwner($0.owner) && !$0.isWritableByOthers } ?? false }
        return BundleRecord(
            // Files of several users belong to nobody in particular.
            owner: owners.count == 1 ? folder?.owner ?? .max : .max,
            digest: needsDigest || !isSystem ? digest(of: paths) : nil, isSystem: isSystem,
            declared: Self.declared(bundle))
    }

    /// The files that a bundle is made of, as far as the broker runs or reads them.
    static func files(of bundle: ProviderBundle) -> [String] {
        [bundle.path + "/Info.plist", bundle.extensionPath]
            + [bundle.servicePath, bundle.activityPath].compactMap { $0 }
    }

    /// Forgets files of bundles that are gone.
    mutating func keepOnly(_ bundles: [ProviderBundle]) {
        let paths = Set(bundles.flatMap(Self.files))
        known = known.filter { paths.contains($0.key) }
    }

    private mutating func digest(of paths: [String]) -> String? {
        var digits = ""
        for path in paths {
            guard let digest = digest(of: path) else { return nil }
            digits += digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        }
        return digits
    }

    private mutating func digest(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let file = OwnedDescriptor(descriptor)
        guard let before = ProgramFile(file) else { return nil }
        if let known = known[path], known.file == before { return known.digest }
        readings += 1
        guard let digest = try? ProgramDigest.make(of: file, mustBeBinary: false) else { return nil }
        // Changed while it was read: it is read again when it is looked at again.
        known[path] = ProgramFile(file) == before ? Known(file: before, digest: digest) : nil
        return digest
    }

    private static func declared(_ bundle: ProviderBundle) -> Set<String> {
        var words = bundle.capabilities.words
        if bundle.servicePath != nil { words.insert("KeywayService") }
        if bundle.activityPath != nil { words.insert("KeywayActivityProgram") }
        if bundle.serviceRunsAlways { words.insert("KeywayServiceRunsAlways") }
        if bundle.checksMasterPassword { words.insert("KeywayChecksMasterPassword") }
        if bundle.asksPermission { words.insert("KeywayServiceAsksPermission") }
        if let group = bundle.group { words.insert("KeywayGroup \(group)") }
        for path in bundle.applications { words.insert("KeywayApplications \(path)") }
        if let sandbox = bundle.sandbox {
            let entries: [(PropertyListKey, [String])] = [
                (.readPaths, sandbox.readPaths), (.writePaths, sandbox.writePaths), (.sockets, sandbox.sockets),
                (.programs, sandbox.programs), (.network, sandbox.network ? [""] : []),
                (.systemBus, sandbox.systemBus ? [""] : []),
            ]
            for (key, texts) in entries {
                for text in texts { words.insert("KeywaySandbox \(key.rawValue) \(text)") }
            }
        }
        return words
    }
}

extension ProviderCapabilities {
    /// The capabilities that are declared, by their keys.
    fileprivate var words: Set<String> {
        let declared: [(Bool, PropertyListKey)] = [
            (providesPasswords, .providesPasswords), (providesPasskeys, .providesPasskeys),
            (providesOneTimeCodes, .providesOneTimeCodes), (setsUpOneTimeCodes, .setsUpOneTimeCodes),
            (providesTextToInsert, .providesTextToInsert),
            (showsConfigurationUI, .showsConfigurationUI),
            (supportsConditionalPasskeyRegistration, .supportsConditionalPasskeyRegistration),
            (supportsCredentialUpdate, .supportsCredentialUpdate),
            (supportsSavePasswordCredentials, .supportsSavePasswordCredentials),
            (supportsGeneratePasswordCredentials, .supportsGeneratePasswordCredentials),
            (supportsGeneratePasswordCredentialsWithUI, .supportsGeneratePasswordCredentialsWithUI),
            (!credentialExchangeVersions.isEmpty, .supportsCredentialExchange),
        ]
        return Set(declared.filter(\.0).map(\.1.rawValue))
    }
}
