import Glibc

/// What the provider does to the machine.
enum SurroundingsRules {
    static let all = [
        Rule(
            "bundle-unchanged", "The bundle is as it was.",
            why: "A bundle that changes must be trusted anew.",
            remedy: "Write to the folders of the XDG Base Directory Specification, not into the bundle."
        ) { (subject) throws(Objection) in
            try await subject.tryToExercise()
            let changed = subject.changedBundleFiles
            try expect(changed.isEmpty, "changed: \(changed.prefix(5).joined(separator: ", "))")
        },
        Rule(
            "files", "The provider writes to its own folders only.",
            why: "Everything else belongs to somebody else.",
            remedy:
                "Use XDG_DATA_HOME, XDG_STATE_HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_RUNTIME_DIR, or the group's "
                + "folder; nothing below `keyway` that is not yours."
        ) { (subject) throws(Objection) in
            try await subject.tryToExercise()
            guard subject.isWatched else { throw .unchecked(Subject.notWatched) }
            let foreign = subject.calls.files.filter {
                !subject.place.mayWrite($0) && !PathName.lies($0, in: PathName.real(subject.bundle.path))
            }
            try expect(foreign.isEmpty, "written: \(foreign.sorted().prefix(5).joined(separator: ", "))")
        },
        Rule(
            "network", "The provider asks for no network, and for no socket of others.",
            why: "A manager that can reach nobody can leak to nobody.",
            remedy: "Leave the network to your app; speak to your service through Keyway."
        ) { (subject) throws(Objection) in
            try await subject.tryToExercise()
            guard subject.extensions.allSatisfy({ $0.process.isWatched }) else {
                throw .unchecked(Subject.notWatched)
            }
            let families = subject.calls.foreignFamilies.map(name(ofFamily:))
            try expect(families.isEmpty, "it asked for a socket: \(families.sorted().joined(separator: ", "))")
            let peers = subject.calls.foreignPeers.sorted().prefix(5)
            try expect(peers.isEmpty, "it wanted to speak to \(peers.joined(separator: ", "))")
        },
        Rule(
            "no-children", "No process is left when the extension has ended.",
            why: "Nobody knows of it, and nobody ends it.",
            remedy: "Wait for the programs that you start, or end them."
        ) { (subject) throws(Objection) in
            try await subject.tryToExercise()
            await subject.service?.stop()
            let allowed = subject.options.leaves
            let left: @Sendable () -> [String] = {
                Children.ofThisProcess().map(\.name).filter { !allowed.contains($0) }
            }
            let isEmpty = await Waiting.until(.seconds(2)) { left().isEmpty }
            try expect(isEmpty, "left: \(left().joined(separator: ", "))")
        },
    ]

    private static func name(ofFamily family: CInt) -> String {
        let names = [AF_INET: "IPv4", AF_INET6: "IPv6", AF_PACKET: "raw", AF_NETLINK: "netlink", AF_VSOCK: "vsock"]
        return names[family] ?? "family \(family)"
    }
}

extension Subject {
    /// Makes the requests that lead to a secret; that none came is another rule's concern.
    fileprivate func tryToExercise() async throws(Objection) {
        do throws(Objection) { try await exercise() } catch {
            if case .broken = error { throw error }
        }
    }
}
