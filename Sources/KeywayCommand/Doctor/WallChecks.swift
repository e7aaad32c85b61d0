/// Which walls stand between Keyway and your other programs. Some need an installation for everybody, with a group.
package struct WallChecks {
    private let machine: any Machine
    private let installation: InstalledFiles

    /// Checks of what is installed in `installation` on `machine`.
    package init(machine: any Machine, installation: InstalledFiles) {
        self.machine = machine
        self.installation = installation
    }

    /// One finding where all stand; otherwise one for each that is missing.
    package func run() -> [Check] {
        guard machine.facts(installation.groupFile)?.owner != 0 else {
            return [Check("walls", .ok, Strings.wallsStand)]
        }
        return [
            Check("walls:identity", .warning, Strings.wallOfIdentityMissing, remedy: Strings.installForEverybody),
            Check("walls:memory", .warning, Strings.wallOfMemoryMissing),
            Check("walls:socket", .warning, Strings.wallOfSocketMissing),
            Check("walls:environment", .warning, Strings.wallOfEnvironmentMissing),
        ]
    }
}
