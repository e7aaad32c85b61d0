import FoundationEssentials
package import KeywaySystem

/// The verdicts as text and as JSON.
package enum KitReport {
    private struct Document: Encodable {
        struct Summary: Encodable {
            let passed: Int
            let failed: Int
            let notApplicable: Int
            let unchecked: Int
        }

        let bundle: String
        let verdicts: [Verdict]
        let summary: Summary
    }

    private struct RuleDocument: Encodable {
        let rules: [RuleDescription]
    }

    /// One verdict as a line, and what to do where there is something to do.
    package static func text(_ verdict: Verdict) -> String {
        let rule = verdict.rule
        switch verdict.status {
        case .pass: return "ok    \(rule.name)\n"
        case .notApplicable: return "n/a   \(rule.name): \(verdict.detail ?? "")\n"
        case .unchecked: return "?     \(rule.name): \(rule.says)\n        not checked: \(verdict.detail ?? "")\n"
        case .fail:
            return
                "FAIL  \(rule.name): \(rule.says)\n        seen: \(verdict.detail ?? "")\n        why:  \(rule.why)\n"
                + "        do:   \(rule.remedy)\n"
        }
    }

    /// The last line.
    package static func summary(_ verdicts: [Verdict]) -> String {
        let document = summary(of: verdicts)
        var parts = ["\(document.passed) kept", "\(document.failed) broken"]
        if document.notApplicable > 0 { parts.append("\(document.notApplicable) do not apply") }
        if document.unchecked > 0 { parts.append("\(document.unchecked) could not be checked") }
        return parts.joined(separator: ", ") + ".\n"
    }

    /// All verdicts as one JSON object.
    package static func json(_ verdicts: [Verdict], bundle: String) throws(ProtocolError) -> String {
        try encode(Document(bundle: bundle, verdicts: verdicts, summary: summary(of: verdicts)))
    }

    /// All rules as one JSON object.
    package static func json(_ rules: [RuleDescription]) throws(ProtocolError) -> String {
        try encode(RuleDocument(rules: rules))
    }

    /// A new folder as one JSON object.
    package static func json(path: String) throws(ProtocolError) -> String {
        try encode(["path": path])
    }

    /// All rules as text.
    package static func text(_ rules: [RuleDescription]) -> String {
        let width = rules.map(\.name.count).max() ?? 0
        var lines: [String] = []
        var group = ""
        for rule in rules {
            if rule.group != group { lines.append((lines.isEmpty ? "" : "\n") + rule.group) }
            group = rule.group
            lines.append("  \(rule.name)\(String(repeating: " ", count: width - rule.name.count))  \(rule.says)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func summary(of verdicts: [Verdict]) -> Document.Summary {
        func count(_ status: Verdict.Status) -> Int { verdicts.count { $0.status == status } }
        return Document.Summary(
            passed: count(.pass), failed: count(.fail), notApplicable: count(.notApplicable),
            unchecked: count(.unchecked))
    }

    private static func encode(_ document: some Encodable) throws(ProtocolError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(document) else {
            throw ProtocolError(.internalError, "The report cannot be written.")
        }
        return String(decoding: json, as: UTF8.self) + "\n"
    }
}
