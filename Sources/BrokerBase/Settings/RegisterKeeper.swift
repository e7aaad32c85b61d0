import Glibc
import KeywayCrypto
import KeywaySystem

/// The register in memory, which counts while the broker runs, and its file, which counts for the next one.
struct RegisterKeeper: Sendable {
    /// Where its file is; nil for one that is in memory alone.
    var folder: String?
    /// The files that are known, by their paths, with their names: where one of them is and no register, there was one.
    var names: [String: String] = [:]
    /// The calendar's time in milliseconds since 1970.
    let time: @Sendable () -> UInt64
    private var register: SettingsRegister?
    private var counter: UInt64 = 0
    /// Its file as this broker wrote or read it.
    private var mark: ProgramFile?

    init(time: @escaping @Sendable () -> UInt64) {
        self.time = time
    }

    private var path: String? { folder.map { "\($0)/\(SettingsRegister.name)" } }

    /// Whether nothing was ever written here.
    private var isFresh: Bool {
        guard let path else { return true }
        return ([path] + names.keys).allSatisfy { file in
            var status = stat()
            return lstat(file, &status) != 0 && errno == ENOENT
        }
    }

    /// The least counter with which the file `name` is believed; nil while that is not known, since there is no key.
    func least(_ name: String) -> UInt64? {
        if let register { return register.least(name) }
        return isFresh ? 0 : nil
    }

    /// Reads the file, the first time that there is a key; begins one that belongs to a new key.
    ///
    /// - Returns: whether there was one that is lost.
    mutating func load(_ key: SecretKey, isNew: Bool) -> Bool {
        guard !isNew else {
            register = register ?? SettingsRegister()
            try? write(key)
            return false
        }
        guard register == nil else { return false }
        if let folder, let path, let read = SettingsRegister.read(in: folder, key: key) {
            (register, counter) = read
            mark = ProgramFile(path: path)
            return false
        }
        let isLost = !isFresh
        register = isLost ? .lost(at: time(), highest: highest(key)) : SettingsRegister()
        return isLost
    }

    /// The highest counter of the files that are there and whose code fits; 0 where there is none.
    private func highest(_ key: SecretKey) -> UInt64 {
        names.compactMap { path, name in
            let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard file >= 0,
                let bytes = try? FileContents.read(OwnedDescriptor(file), limit: SettingsRegister.maximumBytes)
            else { return nil }
            return SettingsForm.read(bytes, name: name, key: key)?.counter
        }.max() ?? 0
    }

    /// Makes sure that the file is there before one that it is to count: who finds that one alone does not believe it.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    mutating func establish(_ key: SecretKey) throws(ProtocolError) {
        guard let path, mark == nil || ProgramFile(path: path) != mark else { return }
        try write(key)
    }

    /// Puts the file back where somebody took it away, put an older one there, or where it could not be written before.
    mutating func restore(_ key: SecretKey) {
        guard let register, !register.files.isEmpty || register.versions != nil else { return }
        try? establish(key)
    }

    /// Remembers that the file `name` has that counter.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`: it is remembered until this broker ends.
    mutating func note(_ name: String, _ written: UInt64, _ key: SecretKey) throws(ProtocolError) {
        guard written > register?.files[name] ?? 0 else { return }
        register?.files[name] = written
        try write(key)
    }

    /// The newest version of a file of `provider` that was noted, and whether what was noted is lost; nil while that is
    /// not known, since there is no key.
    func version(of file: String, _ provider: String) -> (version: UInt64?, isLost: Bool)? {
        register.map { register in
            let version = register.version(of: file, provider)
            return (version, version == nil && register.floor > 0)
        }
    }

    /// Remembers the version of a file of `provider`, if it is the newest.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`: it is remembered until this broker ends.
    mutating func note(
        _ version: UInt64, of file: String, _ provider: String, _ key: SecretKey
    ) throws(ProtocolError) {
        guard register?.note(version, of: file, provider) == true else { return }
        // After a power cut the register of before may be there: the file is newer than its note then, which is fine.
        try write(key, .contents)
    }

    private mutating func write(
        _ key: SecretKey, _ durability: FileContents.Durability = .whole
    ) throws(ProtocolError) {
        guard let folder, let path, let register else { return }
        mark = nil
        try register.write(in: folder, counter: counter + 1, key: key, durability: durability)
        counter += 1
        mark = ProgramFile(path: path)
    }
}
