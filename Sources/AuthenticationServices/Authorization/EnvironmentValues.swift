/// The small counterpart of SwiftUI's type: what a view finds in its surroundings, as far as this module puts it there.
public struct EnvironmentValues: Sendable {
    /// The values that the system sets.
    public init() {}
}

/// The small counterpart of SwiftUI's wrapper: a value of the surroundings, by its path.
///
/// `@Environment(\.authorizationController) private var authorizationController`
@propertyWrapper
public struct Environment<Value> {
    private let path: KeyPath<EnvironmentValues, Value>

    /// The value at `path`.
    public init(_ path: KeyPath<EnvironmentValues, Value>) {
        self.path = path
    }

    /// The value.
    public var wrappedValue: Value { EnvironmentValues()[keyPath: path] }
}
