import Importing
import Testing

@testable import KeywayCommand

/// `keyway import`: what is said of columns; what files come to is in `Tests/Processes/test_import.py`.
struct ImportCommandTests {
    @Test func theRolesOfColumnsAreThoseThatTheReaderKnows() {
        #expect(ImportCommand.roles == ColumnMapping.Role.allCases.map(\.rawValue))
    }

    @Test(arguments: ["colour=Name", "title", "title=", "=Name", "title=Name,url"])
    func aMappingThatIsNoneIsRefusedBeforeAnythingIsRead(mapping: String) async throws {
        let outcome = try await Trial().run("import", "/none", "--preview", "--columns", mapping)
        #expect(outcome.code == .usage)
    }
}
