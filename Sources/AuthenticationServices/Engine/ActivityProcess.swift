/// Runs an application that the system started for an activity, which the controller continues that `makeController` makes:
/// for programs with a `main.swift`, which ask ``KeywayActivityController/isWanted`` first. Returns never; the process ends
/// when the broker lets go of it.
@MainActor
public func runKeywayActivityController(
    _ makeController: @escaping @MainActor () -> KeywayActivityController
) -> Never {
    ServedProcess.run(as: .providerApplication) {
        ActivityServer(broker: .process, makeController: makeController).methods
    }
}
