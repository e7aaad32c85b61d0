/// What the bundle's folder must be.
enum BundleRules {
    static let all = [
        Rule(
            "bundle-accepted", "Keyway takes the bundle.",
            why: "A bundle that it does not take is never started.",
            remedy: "Do what the sentence says; `keyway providers list` says it too."
        ) { (subject) throws(Objection) in
            try expect(subject.bundle.problem == nil, subject.bundle.problem ?? "")
        },
        Rule(
            "bundle-name", "The bundle is a folder called NAME.appex.",
            why: "Folders of another name are not looked into.",
            remedy: "Rename the folder."
        ) { (subject) throws(Objection) in
            try expect(subject.bundle.path.hasSuffix(".appex"), "the folder is \(subject.bundle.path)")
        },
        Rule(
            "bundle-named", "The bundle has a name and a version for people to read.",
            why: "People are asked whether they trust it, by name.",
            remedy: "Add CFBundleName (or CFBundleDisplayName) and CFBundleShortVersionString."
        ) { (subject) throws(Objection) in
            let information = subject.information
            let name = information.text("CFBundleDisplayName") ?? information.text("CFBundleName")
            try expect(name?.isEmpty == false, "there is no CFBundleName")
            try expect(
                information.text("CFBundleShortVersionString")?.isEmpty == false,
                "there is no CFBundleShortVersionString")
        },
        Rule(
            "bundle-capabilities", "What the bundle declares that it can do is said in words that mean something.",
            why: "What is not declared is never asked for; where nothing is, passwords are.",
            remedy: "Correct ASCredentialProviderExtensionCapabilities; `Docs/providers.md` has the table of its keys."
        ) { (subject) throws(Objection) in
            let information = subject.information
            let unknown = information.unknownCapabilities
            try expect(unknown.isEmpty, "unknown: \(unknown.joined(separator: ", "))")
            let contradictions = information.contradictions
            try expect(contradictions.isEmpty, contradictions.joined(separator: "; "))
        },
    ]
}
