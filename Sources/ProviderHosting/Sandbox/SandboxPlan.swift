import AutoFillProtocol
import AutoFillWire
import Confinement
import Glibc
import KeywaySystem

/// Makes of what a bundle declares, and of what is its own, what its processes can reach on this machine now.
struct SandboxPlan {
    let bundle: ProviderBundle
    /// The folder of its group, if it has one.
    let group: String?
    let folders: SandboxFolders

    private var declared: DeclaredSandbox { bundle.sandbox ?? DeclaredSandbox() }
    private var identifier: String { bundle.reference.identifier }

    /// What a process of the bundle reaches. Folders to write in that are missing are made.
    ///
    /// - Throws: ``ProtocolError``: `refused` when a path leads to what no bundle may have, or `system`.
    func enclosure(role: Role) throws(ProtocolError) -> Enclosure {
        var enclosure = Enclosure(limits: role == .providerService ? .ofService : .ofExtension)
        enclosure.usesNetwork = declared.network
        enclosure.isKeeper = bundle.isKeeper
        enclosure.privateFolders = folders.privateFolders
        var written = try self.written()
        for (path, source) in written {
            // No git of the person's works in what is the bundle's alone.
            if !folders.isOwn(source, of: identifier) {
                enclosure.places.merge(RepositoryGuard.places(in: source, seenAs: path)) { $1 }
            }
            for store in folders.passwordStores {
                let places = try PasswordStoreGuard.places(of: store, in: source, seenAs: path, of: identifier)
                enclosure.places.merge(places) { $1 }
            }
        }
        if let group { written[group] = group }
        for (path, source) in written {
            enclosure.places[.init(source: source, path: path)] = .write
        }
        let sources = written.values.map(PathWalk.canonical)
        for (key, texts) in [(PropertyListKey.readPaths, declared.readPaths), (.sockets, declared.sockets)] {
            for text in texts {
                guard let path = folders.expand(text),
                    let source = try source(of: path, text, key, avoiding: sources)
                else { continue }
                enclosure.places[.init(source: source, path: path)] = .read
            }
        }
        try addPrograms(to: &enclosure, avoiding: sources)
        enclosure.hidden = SecretKeys.folders(in: enclosure.places.keys, homes: folders.gpgHomes)
        enclosure.places[.init(source: bundle.path, path: bundle.path)] = .run
        return enclosure
    }

    /// Refuses to start a keeper where a folder that it may have holds something that it may not: Landlock alone takes
    /// nothing back of what it allows.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused`.
    func checkHoldsWithoutNamespaces(_ enclosure: Enclosure) throws(ProtocolError) {
        guard enclosure.isKeeper, !bundle.mayRunUnconfined, let exception = enclosure.exceptions.min() else { return }
        let name = bundle.reference.name
        throw ProtocolError(
            .refused,
            "\(name) was not started, because it could not be kept from \(exception). Only a provider that declares "
                + "Programs, Sockets or Network can be. To let \(name) have that folder: keyway providers enable "
                + "--unconfined \(identifier)", provider: identifier)
    }

    /// Where the bundle may write: what each path is without links. One that is reached through another one is left out.
    func written() throws(ProtocolError) -> [String: String] {
        let paths = declared.writePaths.compactMap { text in folders.expand(text).map { (text, $0) } }
        let sources = paths.map { PathWalk.canonical($0.1) }
        var written: [String: String] = [:]
        for (text, path) in paths {
            if PathWalk.end(of: path, avoiding: sources) == .nothing { try PrivateFolder.prepare(path) }
            written[path] = try source(of: path, text, .writePaths, avoiding: sources)
        }
        return written
    }

    private func addPrograms(
        to enclosure: inout Enclosure, avoiding sources: [String]
    ) throws(ProtocolError) {
        for text in declared.programs {
            if SystemProgram.isName(text) {
                if let path = SystemProgram.path(of: text) { enclosure.programs.append(path) }
                continue
            }
            guard let path = folders.expand(text),
                let source = try source(of: path, text, .programs, avoiding: sources)
            else { continue }
            if SystemLayout.systemFolders.contains(where: { PathWalk.isWithin(source, $0) }) {
                enclosure.programs.append(path)
            } else {
                enclosure.places[.init(source: source, path: path)] = .run
            }
        }
    }

    /// The path without links; nil when there is nothing, and where the way leads through one of `sources`, which the
    /// bundle may change. What is there is reached anyway; and a link that the bundle has put there must lead nowhere but
    /// inside, however the path to it is spelled.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused` when links lead to what no bundle may have.
    private func source(
        of path: String, _ text: String, _ key: PropertyListKey, avoiding sources: [String]
    ) throws(ProtocolError) -> String? {
        guard case .place(let source) = PathWalk.end(of: path, avoiding: sources) else { return nil }
        if let objection = folders.objection(to: source, writes: key == .writePaths, of: identifier) {
            throw ProtocolError(
                .refused, SandboxJudge.sentence(key, text, "leads to \(source), which \(objection)"),
                provider: identifier)
        }
        return source
    }
}

extension Enclosure {
    /// What is less open than the folder that it lies in.
    fileprivate var exceptions: [String] {
        let written = places.filter { $0.value == .write }.map(\.key.source)
        let closed = places.filter { $0.value == .read && !written.contains($0.key.source) }.keys
        return hidden + closed.filter { place in written.contains { PathWalk.isWithin(place.source, $0) } }.map(\.path)
    }
}
