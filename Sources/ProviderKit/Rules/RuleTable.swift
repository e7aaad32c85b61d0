/// Every rule of the kit, in the order in which they are looked at: the log of the whole run comes last.
enum RuleTable {
    /// A group of rules, as the report heads it.
    struct Group: Sendable {
        let name: String
        let rules: [Rule]
    }

    static let groups: [Group] = [
        Group(name: "bundle", rules: BundleRules.all), Group(name: "program", rules: ProgramRules.all),
        Group(name: "requests", rules: RequestRules.all), Group(name: "passwords", rules: PasswordRules.all),
        Group(name: "lists", rules: ListRules.all), Group(name: "interfaces", rules: InterfaceRules.all),
        Group(name: "passkeys", rules: PasskeyRules.all), Group(name: "codes and text", rules: TextRules.all),
        Group(name: "new passwords", rules: NewPasswordRules.all), Group(name: "notices", rules: NoticeRules.all),
        Group(name: "identity store", rules: StoreRules.all), Group(name: "endurance", rules: EnduranceRules.all),
        Group(name: "secrets", rules: SecretRules.all), Group(name: "surroundings", rules: SurroundingsRules.all),
    ]

    static let all = groups.flatMap(\.rules)
}
