package import KeywayCrypto
import KeywaySystem
import Synchronization

/// The key of the authentication codes of the broker's settings, and the list of files that are not trusted.
///
/// The key is derived from the store key and is in memory only while that one is.
package final class SettingsSeal: Sendable {
    private struct State {
        var key: SecretKey?
        var register: RegisterKeeper
        var disbelieved: [String: String] = [:]
        var checks: [@Sendable () -> Void] = []
        var report: (@Sendable (String) -> Void)?
        var opened: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>
    private let log: EventLog

    /// A seal without a key: nothing can be read or written yet.
    ///
    /// - Parameter time: the calendar's, in milliseconds since 1970.
    package init(
        log: EventLog,
        time: @escaping @Sendable () -> UInt64 = { UInt64(max(0, SystemTimeSource().milliseconds)) }
    ) {
        self.log = log
        state = Mutex(State(register: RegisterKeeper(time: time)))
    }

    /// The key for settings that belongs to a store key: number 1 of the purpose `settings`.
    static func key(_ storeKey: SecretKey) -> SecretKey { storeKey.derive(1, context: "settings") }

    // MARK: - The key

    /// The store key is there.
    ///
    /// - Parameter isNew: whether there was none before, or one that is lost: then no file of before can have a code that
    ///   fits, and there is none that could be missed.
    package func open(with storeKey: SecretKey, isNew: Bool = false) {
        let key = Self.key(storeKey)
        let (isLost, opened) = state.withLock { state in
            state.key = key
            return (state.register.load(key, isNew: isNew), state.opened)
        }
        if isLost { log("the register of the settings is gone or not believed, and so is what it counted") }
        opened?()
    }

    /// The store key is gone: what was read stays known, nothing else is read or written.
    package func lock() {
        state.withLock { $0.key = nil }
    }

    /// The key; nil while the login session is locked, or before it was opened.
    package var key: SecretKey? { state.withLock { $0.key } }

    // MARK: - The register

    /// Keeps the register of the files in `folder`; before the first ``open(with:)``.
    package func keepRegister(in folder: String) {
        state.withLock { $0.register.folder = folder }
    }

    /// The least counter with which the file `name` is believed, 0 if it need not be there; nil while there is no key.
    func least(_ name: String) -> UInt64? { state.withLock { $0.register.least(name) } }

    /// Makes sure that there is a register.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    func establishRegister() throws(ProtocolError) {
        try state.withLock { (state) throws(ProtocolError) in
            guard let key = state.key else { return }
            try state.register.establish(key)
        }
    }

    /// The file `name` has that counter.
    func note(_ name: String, _ counter: UInt64) {
        do throws(ProtocolError) {
            try state.withLock { (state) throws(ProtocolError) in
                guard let key = state.key else { return }
                try state.register.note(name, counter, key)
            }
        } catch {
            log("the register of the settings was not written: \(error.message)")
        }
    }

    /// Lends the register to look into.
    func withRegister<Result>(_ body: (RegisterKeeper) -> Result) -> Result { state.withLock { body($0.register) } }

    /// Notes the version of a file of a provider.
    ///
    /// - Returns: whether there is a key to do it.
    /// - Throws: ``ProtocolError`` with the code `system`.
    func noteInRegister(_ version: UInt64, of file: String, _ provider: String) throws(ProtocolError) -> Bool {
        try state.withLock { (state) throws(ProtocolError) in
            guard let key = state.key else { return false }
            try state.register.note(version, of: file, provider, key)
            return true
        }
    }

    // MARK: - What is not believed

    /// One sentence for each file that is not believed, in the order of their paths.
    package var disbelieved: [String] {
        state.withLock { $0.disbelieved.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Looks at every file again, so that ``disbelieved`` is what stands on the disk now.
    package func look() {
        state.withLock { state in
            if let key = state.key { state.register.restore(key) }
        }
        for check in state.withLock({ $0.checks }) { check() }
    }

    /// Tells `body` each sentence once.
    package func onDisbelief(_ body: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.report = body }
    }

    /// Runs `body` whenever the key is there again.
    package func onOpen(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.opened = body }
    }

    /// Runs `body`, which looks at the file `name` at `path`, at every ``look()``.
    func onLook(at path: String, name: String, _ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.checks.append(body)
            state.register.names[path] = name
        }
    }

    /// The file at `path` is not believed; `sentence` says so, and what to do.
    func disbelieve(_ path: String, _ sentence: String) {
        let report = state.withLock { state -> (@Sendable (String) -> Void)? in
            guard state.disbelieved.updateValue(sentence, forKey: path) == nil else { return nil }
            return state.report ?? { _ in }
        }
        guard let report else { return }
        log(sentence)
        report(sentence)
    }

    /// The file at `path` is ours, or gone.
    func believe(_ path: String) {
        state.withLock { _ = $0.disbelieved.removeValue(forKey: path) }
    }
}
