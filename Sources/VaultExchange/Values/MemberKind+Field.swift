import CredentialExchange
import Vault

extension MemberKind {
    private static let fieldTypes: [ExchangeFieldType: MemberKind] = [
        .string: .text, .concealed: .concealed, .email: .email, .number: .number, .boolean: .boolean, .date: .date,
        .yearMonth: .yearMonth, .wifiSecurity: .wifiSecurity, .country: .country, .subdivision: .subdivision,
    ]

    /// The kind of a member that is a field of this type; nil for a type that isn't known.
    init?(_ type: ExchangeFieldType) {
        guard let kind = Self.fieldTypes[type] else { return nil }
        self = kind
    }

    /// The type of the field that a member of this kind is; nil for one that is no field.
    var fieldType: ExchangeFieldType? { Self.fieldTypes.first { $0.value == self }?.key }
}
