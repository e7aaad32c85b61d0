import AutoFillProtocol

/// What a long run of requests left in the extension.
struct Endurance: Sendable {
    /// How many requests were counted.
    let requests: Int
    /// How much more memory stands in RAM at the end, in bytes.
    let growth: Int
    /// How many more descriptors are open at the end; nil where that may not be known.
    let descriptors: Int?
}

extension Subject {
    /// Makes the same request many times; the first tenth is not counted, so that caches may fill.
    ///
    /// - Throws: ``Objection``.
    func endure() async throws(Objection) -> Endurance {
        try await enduranceOnce { () throws(Objection) in
            let wanted = try await repeatable()
            return try await withExtension { (started) throws(Objection) in
                _ = await credential(of: wanted, from: started)
                try await repeatQuietly(wanted, max(options.requests / 10, 20), started)
                let process = started.process.processIdentifier
                let before = (ProcessTable.residentBytes(process), started.process.descriptorCount)
                try await repeatQuietly(wanted, options.requests, started)
                guard let bytes = ProcessTable.residentBytes(process), let bytesBefore = before.0 else {
                    throw .broken("it ended (\(started.process.ending))")
                }
                let descriptors = started.process.descriptorCount.flatMap { now in before.1.map { now - $0 } }
                return Endurance(requests: options.requests, growth: bytes - bytesBefore, descriptors: descriptors)
            }
        }
    }

    private func repeatable() async throws(Objection) -> CredentialIdentity {
        if capabilities.providesPasswords { return try identity(.password) }
        if capabilities.providesOneTimeCodes { return try identity(.oneTimeCode) }
        throw .unchecked("the kit repeats requests for passwords and codes only, and it provides neither")
    }

    private func repeatQuietly(
        _ identity: CredentialIdentity, _ count: Int, _ started: StartedExtension
    ) async throws(Objection) {
        let request = PerformRequest.Request.provideWithoutInteraction(.init(identity: identity))
        for number in 1...count {
            let answer = await started.perform(request, within: Self.quietLimit)
            switch answer.result {
            case .password, .oneTimeCode: continue
            default: throw objection("a credential, at request \(number)", answer)
            }
        }
    }
}
