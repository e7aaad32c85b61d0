import AutoFillProtocol

/// A provider with all that is known of it, as rows and as JSON.
enum ProviderDescription {
    /// Everything, for `show`.
    static func rows(_ provider: InstalledProvider) -> [[String]] {
        var rows = [
            ["Name", provider.reference.name], ["Identifier", provider.reference.identifier],
            ["Version", provider.version], ["State", Strings.state(provider)],
        ]
        if let problem = provider.problem { rows.append(["Problem", problem]) }
        if let notice = provider.notice { rows.append(["Notice", notice]) }
        if provider.isDebugged { rows.append(["Debugged", "yes"]) }
        rows.append(["Accounts", "\(provider.identities)"])
        return rows + wishes(provider)
    }

    /// What it asks for, for `enable`.
    static func wishes(_ provider: InstalledProvider) -> [[String]] {
        let capabilities = Strings.capabilities(provider.capabilities)
        var rows = [
            ["Capabilities", capabilities.isEmpty ? Strings.none : capabilities.joined(separator: ", ")],
            ["Service", provider.hasService ? Strings.hasService : Strings.noService],
        ]
        rows += provider.applications.map { ["App", Strings.application($0)] }
        if let group = provider.group { rows.append(["Group", "\(group): \(Strings.sharedFolder)"]) }
        let reaches = provider.sandbox?.reaches ?? []
        rows += (reaches.isEmpty ? [Strings.nothingElse] : reaches).map { ["Reaches", $0] }
        if provider.sandbox?.needsNoNamespace == false { rows.append(["Memory", Strings.readableMemory]) }
        if provider.mayRunUnconfined == true { rows.append(["Unconfined", Strings.mayRunUnconfined]) }
        return rows + [["Bundle", provider.path], ["Owner", Strings.owner(provider)]]
    }

    static func json(_ provider: InstalledProvider) -> JSONValue {
        .object([
            ("identifier", .string(provider.reference.identifier)),
            ("name", .string(provider.reference.name)),
            ("version", .string(provider.version)),
            ("enabled", .bool(provider.isEnabled)),
            ("changed", .bool(provider.hasChanged)),
            ("requested", .bool(provider.isRequested)),
            ("debugged", .bool(provider.isDebugged)),
            ("path", .string(provider.path)),
            ("scope", .string(provider.scope.rawValue)),
            ("capabilities", .strings(Strings.capabilities(provider.capabilities))),
            ("service", .bool(provider.hasService)),
            (
                "applications",
                .array(
                    provider.applications.map { application in
                        .object([
                            ("path", .string(application.path)),
                            ("approved", .bool(application.isApproved)),
                            ("requested", .bool(application.isRequested)),
                        ])
                    })
            ),
            ("group", .optional(provider.group)),
            ("sandbox", provider.sandbox.map(sandbox) ?? .null),
            ("mayRunUnconfined", .bool(provider.mayRunUnconfined ?? false)),
            ("identities", .integer(provider.identities)),
            ("problem", .optional(provider.problem)),
            ("notice", .optional(provider.notice)),
        ])
    }

    private static func sandbox(_ declared: DeclaredSandbox) -> JSONValue {
        .object([
            ("read", .strings(declared.readPaths)),
            ("write", .strings(declared.writePaths)),
            ("sockets", .strings(declared.sockets)),
            ("programs", .strings(declared.programs)),
            ("network", .bool(declared.network)),
            ("systemBus", .bool(declared.systemBus)),
        ])
    }
}
