package import AutoFillProtocol
import AutoFillWire
import Glibc
package import KeywaySystem

/// One installed bundle, read and validated.
package struct ProviderBundle: Hashable, Sendable {
    /// Identifier and name; the folder's name where the bundle does not say.
    package let reference: ProviderReference
    /// `CFBundleShortVersionString`.
    package let version: String
    /// The bundle's folder.
    package let path: String
    /// Whose folder it lies in.
    package let scope: KeywayPaths.ProviderFolder.Scope
    /// What it declares.
    package let capabilities: ProviderCapabilities
    /// The extension's program.
    package let extensionPath: String
    /// The service's program, where there is one.
    package let servicePath: String?
    /// The program that continues activities, where there is one.
    package let activityPath: String?
    /// Whether the service runs as long as the provider is on.
    package let serviceRunsAlways: Bool
    /// Whether the service checks what the person typed as its master password.
    package let checksMasterPassword: Bool
    /// Whether the service asks before it hands something out to a program in a terminal.
    package let asksPermission: Bool
    /// What to type when a caller without an interface must wait.
    package let interactionCommand: String?
    /// Whether it lists the credential exchange among the activities that it continues.
    package let takesImports: Bool
    /// Whether it lists the export that is asked for in a terminal among them.
    package let makesExports: Bool
    /// Why it wants the person verified, in its own words.
    package let verificationPurpose: String?
    /// Programs that count as the app which contains the extension (`KeywayApplications`), as absolute paths.
    package let applications: [String]
    /// The folder that app, extension and service share (`KeywayGroup`).
    package let group: String?
    /// What it may reach beside its own folders (`KeywaySandbox`); nil where it declares nothing.
    package let sandbox: DeclaredSandbox?
    /// What is wrong with it; such a bundle is never started.
    package let problem: String?
    /// Whether the person lets it run on a machine that cannot confine it fully.
    package var mayRunUnconfined = false

    /// The activity of the credential exchange: as it is declared, and as its documentation spells it.
    private static let exchangeActivities = [
        ExchangeActivityType.importing, ExchangeActivityType.importingAsDocumented,
    ]

    /// The bundle in the folder `path`.
    package init(path: String, scope: KeywayPaths.ProviderFolder.Scope, problem suspicion: String? = nil) {
        let folderName = String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
        var information: InfoPropertyList?
        var problem = suspicion
        do {
            information = try InfoPropertyList(path: path + "/Info.plist")
        } catch {
            problem = problem ?? error.message
        }
        let judge = BundleJudge(path: path)
        if let information { problem = problem ?? judge.problem(of: information) }
        let identifier = information?.identifier.flatMap { BundleJudge.isIdentifier($0) ? $0 : nil }
        let name = information.flatMap { $0.displayName ?? $0.name }.map(DisplayText.line)
        reference = ProviderReference(identifier: identifier ?? folderName, name: name ?? identifier ?? folderName)
        version = DisplayText.line(information?.version ?? "")
        self.path = path
        self.scope = scope
        capabilities = information?.capabilities ?? ProviderCapabilities()
        takesImports = information?.userActivityTypes.contains(where: Self.exchangeActivities.contains) ?? false
        makesExports = information?.userActivityTypes.contains(ExchangeActivityType.exporting) ?? false
        verificationPurpose = information?.verificationPurpose.map(DisplayText.line)
        extensionPath = "\(path)/\(information?.executable ?? "")"
        servicePath = information?.service.map { "\(path)/\($0)" }
        activityPath = information?.activityProgram.map { "\(path)/\($0)" }
        serviceRunsAlways = servicePath != nil && information?.serviceRunsAlways == true
        checksMasterPassword = servicePath != nil && information?.checksMasterPassword == true
        asksPermission = servicePath != nil && information?.asksPermission == true
        interactionCommand = information?.interactionCommand.map(DisplayText.line)
        applications = DeclaredApplication.paths(information?.applications ?? [], bundle: path)
        group = information?.group.map(DisplayText.line)
        sandbox = information?.sandbox
        self.problem = problem
    }

    /// What decides what it is and what is wrong with it: its folder, Info.plist, programs, and those that count as its
    /// app. A name that no program can have is wrong whatever lies there.
    var judgedPaths: [String] {
        let programs = [extensionPath, servicePath, activityPath].compactMap { $0 }.filter {
            BundleJudge.isProgramName(String($0.dropFirst(path.count + 1)))
        }
        let others = applications.prefix(DeclaredApplication.maximum).filter(DeclaredApplication.isPlain)
        return [path, path + "/Info.plist"] + programs + others
    }

    /// The same bundle with something wrong.
    func with(problem: String) -> ProviderBundle {
        ProviderBundle(path: path, scope: scope, problem: problem)
    }
}

/// What a bundle must be before anything in it is started.
package struct BundleJudge {
    let path: String
    /// What the paths of a sandbox mean.
    var folders = SandboxFolders.ofThisProcess

    /// What is wrong, in a sentence; nil when nothing is.
    func problem(of information: InfoPropertyList) -> String? {
        guard let identifier = information.identifier else { return "Info.plist has no CFBundleIdentifier." }
        guard Self.isIdentifier(identifier) else {
            return "CFBundleIdentifier may hold letters, digits, `-` and `.`, and 155 of them at most."
        }
        guard information.point == InfoPropertyList.extensionPoint else {
            return "NSExtensionPointIdentifier is not \(InfoPropertyList.extensionPoint)."
        }
        guard let executable = information.executable else { return "Info.plist has no CFBundleExecutable." }
        return problem(ofProgram: executable, key: "CFBundleExecutable")
            ?? information.service.flatMap { problem(ofProgram: $0, key: "KeywayService") }
            ?? information.activityProgram.flatMap { problem(ofProgram: $0, key: "KeywayActivityProgram") }
            ?? DeclaredApplication.problem(of: information.applications, bundle: path)
            ?? problem(ofGroup: information.group)
            ?? information.sandbox.flatMap { SandboxJudge(folders: folders, identifier: identifier).problem(of: $0) }
    }

    /// Whether the text can name a provider, and a file.
    package static func isIdentifier(_ text: String) -> Bool {
        (1...155).contains(text.utf8.count) && !text.hasPrefix(".")
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    /// Whether the text is the plain name of a file.
    static func isProgramName(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(0)
    }

    private func problem(ofGroup name: String?) -> String? {
        guard let name, !GroupFolders.isName(name) else { return nil }
        return "KeywayGroup must be `group.` and letters, digits, `-` and `.`."
    }

    private func problem(ofProgram name: String, key: String) -> String? {
        guard Self.isProgramName(name) else {
            return "\(key) must be the plain name of a file in the bundle."
        }
        var status = stat()
        guard stat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return "\(key) names a file that is not in the bundle."
        }
        guard status.st_mode & 0o111 != 0 else { return "The file that \(key) names isn't executable." }
        guard status.st_uid == 0 || status.st_uid == geteuid(), status.st_mode & 0o002 == 0 else {
            return "Other users can change the file that \(key) names."
        }
        return nil
    }
}
