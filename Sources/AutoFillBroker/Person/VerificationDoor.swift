import AutoFillProtocol
import AutoFillWire

/// How the person is verified, and what they set about it.
final class VerificationDoor: Sendable {
    private let notes: RequestNotes
    private let place: ClientPlace
    private let person: PersonMethods

    init(
        notes: RequestNotes, place: ClientPlace, person: PersonMethods
    ) {
        self.notes = notes
        self.place = place
        self.person = person
    }

    /// Answers how the person is verified, and what they set about it.
    func add(to table: inout MethodTable) {
        table.on(VerificationState.self) { _, _ in await self.person.verificationState() }
        table.on(ChangeVerification.self) { parameters, context in
            let method = try await self.person.changeVerification(
                parameters.settings, through: self.place.presenter(true, context))
            self.notes.remark(change: "when you are verified", by: method, context)
            return Nothing()
        }
        table.on(VerifyForImport.self) { parameters, context in
            let source = DisplayText.line(String(parameters.source.prefix(100)))
            let method = try await self.person.verifyPerson(
                "to import the passwords stored in \(source)", through: self.place.presenter(true, context))
            self.notes.remark(change: "passwords stored in \(source) imported", by: method, context)
            return Nothing()
        }
        table.on(ChangePIN.self) { parameters, context in
            let method = try await self.person.changePIN(parameters.pin, through: self.place.presenter(true, context))
            self.notes.remark(change: parameters.pin == nil ? "PIN removed" : "PIN set", by: method, context)
            return Nothing()
        }
    }
}
