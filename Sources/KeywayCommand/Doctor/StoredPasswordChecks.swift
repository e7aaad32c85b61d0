/// Which profiles of browsers have passwords stored in them: each with the command that imports them.
struct StoredPasswordChecks {
    let context: CommandContext

    /// A line for each profile with passwords; a profile without, or one that can't be looked at, has none.
    func run() async -> [Check] {
        var checks: [Check] = []
        for profile in ProfileSearch(machine: context.surroundings.machine).profiles {
            guard let count = await context.surroundings.countStored(profile), count > 0 else { continue }
            checks.append(
                Check(
                    "passwords:\(profile.word)", .ok, Strings.stored(profile.text, count), remedy: profile.command))
        }
        return checks
    }
}
