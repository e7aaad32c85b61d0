import AutoFillProtocol
import KeywaySystem

/// Whether each browser can reach the native host, and has the extension.
package struct BrowserChecks {
    private let machine: any Machine
    private let installation: InstalledFiles
    private let fixes: Bool

    /// Checks of the browsers on `machine` against what is installed in `installation`.
    package init(machine: any Machine, installation: InstalledFiles, fixes: Bool) {
        self.machine = machine
        self.installation = installation
        self.fixes = fixes
    }

    /// All of them.
    package func run() -> [Check] {
        let present = Browser.all.filter { $0.isPresent(on: machine) }
        guard !present.isEmpty else { return [Check("browser", .warning, Strings.noBrowser)] }
        return present.flatMap(check)
    }

    private func check(_ browser: Browser) -> [Check] {
        switch browser.packaging {
        case .system: return [host(browser), loaded(browser)]
        case .snap("firefox"): return [host(browser), portal(browser), loaded(browser)]
        case .snap:
            return [
                Check("browser:\(browser.word)", .failed, Strings.snapCannot(browser.name), remedy: Strings.useOther)
            ]
        case .flatpak(let id): return [wrapper(browser), host(browser), override(browser, id), loaded(browser)]
        }
    }

    // MARK: The native host

    private func hostPath(_ browser: Browser) -> String {
        guard case .flatpak(let id) = browser.packaging else { return installation.browserHost }
        return "\(machine.home)/.var/app/\(id)/data/keyway-browser-host"
    }

    private func host(_ browser: Browser) -> Check {
        let name = "host:\(browser.word)"
        let folder = "\(machine.home)/\(browser.hosts)"
        let file = "\(folder)/\(BrowserExtension.hostName).json"
        let expected = hostPath(browser)
        guard machine.isExecutable(installation.browserHost) else {
            return Check(name, .failed, Strings.hostMissing(installation.browserHost), remedy: Strings.reinstall)
        }
        let fault = fault(file, browser, expected)
        if fault == Strings.manifestMissing, let folder = browser.systemHosts,
            self.fault("\(folder)/\(BrowserExtension.hostName).json", browser, expected) == nil
        {
            return Check(name, .ok, Strings.registered(browser.name))
        }
        guard let fault else { return Check(name, .ok, Strings.registered(browser.name)) }
        guard fixes else { return Check(name, .failed, "\(file): \(fault)", remedy: Strings.runFix) }
        do {
            let manifest = HostManifest(path: expected, family: browser.family)
            if machine.facts(folder) == nil { try machine.makeFolder(folder) }
            try machine.replace(file, with: try manifest.text(), mode: 0o600)
            return Check(name, .fixed, Strings.nowRegistered(browser.name))
        } catch {
            return Check(name, .failed, CommandError(any: error).message)
        }
    }

    /// What is wrong with the manifest in `file`; nil when nothing is.
    private func fault(_ file: String, _ browser: Browser, _ expected: String) -> String? {
        guard let bytes = machine.read(file, limit: 1 << 16) else { return Strings.manifestMissing }
        guard let manifest = try? HostManifest(reading: bytes) else { return Strings.manifestUnreadable }
        return manifest.fault(family: browser.family, expected: expected, on: machine)
    }

    // MARK: Sandboxes

    /// A program inside of a Flatpak cannot start the host itself; this one asks the session to.
    private func wrapper(_ browser: Browser) -> Check {
        let name = "wrapper:\(browser.word)"
        let path = hostPath(browser)
        let text = "#!/bin/sh\nexec flatpak-spawn --host '\(installation.browserHost)' \"$@\"\n"
        if machine.read(path, limit: 4096) == Array(text.utf8), machine.isExecutable(path) {
            return Check(name, .ok, path)
        }
        guard fixes else { return Check(name, .failed, Strings.wrapperMissing(path), remedy: Strings.runFix) }
        do {
            let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
            if machine.facts(folder) == nil { try machine.makeFolder(folder) }
            try machine.replace(path, with: text, mode: 0o700)
            return Check(name, .fixed, Strings.wrapperWritten(path))
        } catch {
            return Check(name, .failed, CommandError(any: error).message)
        }
    }

    private func override(_ browser: Browser, _ id: String) -> Check {
        let name = "sandbox:\(browser.word)"
        let files = ["\(machine.home)/.local/share/flatpak/overrides/\(id)", "/var/lib/flatpak/overrides/\(id)"]
        let isAllowed = files.contains { file in
            let text = machine.read(file, limit: 1 << 16).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return text.split(separator: "\n").contains { $0.filter { $0 != " " } == "org.freedesktop.Flatpak=talk" }
        }
        guard !isAllowed else { return Check(name, .ok, Strings.flatpakAllowed) }
        return Check(
            name, .warning, Strings.flatpakForbidden(browser.name),
            remedy: "flatpak override --user --talk-name=org.freedesktop.Flatpak \(id)")
    }

    private func portal(_ browser: Browser) -> Check {
        Check(
            "sandbox:\(browser.word)", .warning, Strings.snapNeedsPortal(browser.name),
            remedy: "flatpak permission-set webextensions \(BrowserExtension.hostName) snap.firefox yes")
    }

    // MARK: The extension

    private func loaded(_ browser: Browser) -> Check {
        let name = "extension:\(browser.word)"
        let folder = installation.browserExtension
        let byHand = browser.family == .chromium ? Strings.loadInChromium(folder) : Strings.loadInFirefox(folder)
        return switch ExtensionSearch(machine: machine).search(browser) {
        case .found: Check(name, .ok, Strings.extensionFound(browser.name))
        case .notTakenYet:
            Check(name, .warning, Strings.extensionNotTaken(browser.name), remedy: Strings.restart(browser.name))
        case .off(let profile):
            Check(
                name, .warning, Strings.extensionOff(browser.name, profile: profile),
                remedy: browser.family == .chromium ? Strings.turnOnInChromium : Strings.turnOnInFirefox)
        case .withoutSites(let profile):
            Check(
                name, .warning, Strings.sitesWithheld(browser.name, profile: profile),
                remedy: Strings.grantSites(browser.name))
        case .missing: Check(name, .warning, Strings.extensionNotFound(browser.name), remedy: byHand)
        }
    }
}
