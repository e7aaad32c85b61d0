import AutoFillBroker
import FoundationEssentials
package import KeywaySystem
import ProviderHosting

/// Checks a bundle against every rule.
package struct Judge {
    private let options: KitOptions
    private let environment: [String: String]
    private let rules: [(group: String, rule: Rule)]

    /// A judge of the bundle that `options` name.
    ///
    /// - Throws: ``ProtocolError``: `invalidParameters` when a rule is named that is none, `notFound` without a bundle.
    package init(_ options: KitOptions, environment: [String: String]) throws(ProtocolError) {
        let all = RuleTable.groups.flatMap { group in group.rules.map { (group: group.name, rule: $0) } }
        for name in options.rules where !all.contains(where: { $0.rule.name == name }) {
            throw ProtocolError(.invalidParameters, "There is no rule “\(name)”; --list-rules shows all.")
        }
        guard FileManager.default.fileExists(atPath: options.path) else {
            throw ProtocolError(.notFound, "There is no bundle at \(options.path).")
        }
        if !options.path.hasSuffix(".appex"), FileManager.default.fileExists(atPath: options.path + "/Package.swift") {
            let name = PathName.real(options.path).split(separator: "/").last ?? ""
            throw ProtocolError(
                .invalidParameters,
                "\(options.path) is a package, not a bundle. Run `make -C \(options.path) bundle`, and test "
                    + "\(options.path)/build/\(name).appex.")
        }
        var options = options
        options.path = PathName.real(options.path)
        self.options = options
        self.environment = environment
        rules = all.filter { options.rules.isEmpty || options.rules.contains($0.rule.name) }
    }

    /// Every rule there is, with nothing said about any bundle.
    package static var ruleList: [RuleDescription] {
        RuleTable.groups.flatMap { group in group.rules.map { RuleDescription($0, group: group.name) } }
    }

    /// Looks; `report` is called with each verdict as it is known.
    ///
    /// - Throws: ``ProtocolError`` when the kit itself cannot work.
    package func run(_ report: (Verdict) -> Void) async throws(ProtocolError) -> [Verdict] {
        let bundle = ProviderBundle(path: options.path, scope: .user)
        let subject = try Subject(bundle: bundle, options: options, environment: environment)
        Children.adoptOrphans()
        var verdicts: [Verdict] = []
        var isPrepared = false
        for (group, rule) in rules {
            if bundle.problem == nil && !isPrepared && group != RuleTable.groups[0].name {
                isPrepared = true
                await subject.prepare()
            }
            let verdict = await look(rule, group, subject)
            verdicts.append(verdict)
            report(verdict)
        }
        await subject.close()
        return verdicts
    }

    private func look(_ rule: Rule, _ group: String, _ subject: Subject) async -> Verdict {
        if let missing = rule.applies(subject.capabilities) {
            return Verdict(rule, group: group, .notApplicable, missing)
        }
        if subject.bundle.problem != nil && group != RuleTable.groups[0].name {
            return Verdict(rule, group: group, .unchecked, "the bundle is not taken, so nothing of it is started")
        }
        let start = MonotonicTime.now
        do throws(Objection) {
            try await rule.check(subject)
            return Verdict(rule, group: group, .pass, nil, MonotonicTime.now.since(start))
        } catch {
            let duration = MonotonicTime.now.since(start)
            switch error {
            case .broken(let seen): return Verdict(rule, group: group, .fail, seen, duration)
            case .notApplicable(let why): return Verdict(rule, group: group, .notApplicable, why, duration)
            case .unchecked(let why): return Verdict(rule, group: group, .unchecked, why, duration)
            }
        }
    }
}
