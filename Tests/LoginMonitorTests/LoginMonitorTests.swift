import Glibc
import SystemBus
import Testing

@testable import LoginMonitor

@Suite(.serialized) struct LoginMonitorTests {
    let heard = Heard()
    let reports = Heard()

    private func monitor(_ address: String, sleepGate: Gate? = nil) -> LoginMonitor {
        LoginMonitor(at: .address(address), user: 1000, report: { [reports] in reports.add($0) }) { [heard] event in
            heard.add("\(event)")
            guard event == .willSleep, let sleepGate else { return }
            await sleepGate.wait()
            heard.add("slept")
        }
    }

    @Test func goesOnWithoutABusAndSaysSo() {
        let monitor = monitor("unix:path=/nonexistent/bus")
        monitor.start()
        #expect(reports.reaches(1))
        #expect(reports.all[0].contains("by command and by idle time only"))
        monitor.stop()
        #expect(heard.all.isEmpty)
    }

    @Test func tellsOfALockedSessionOfThePerson() throws {
        let bus = try #require(MockBus())
        try #require(bus.addSession("c1", of: 1000) && bus.addSession("c2", of: 1001))
        let monitor = monitor(bus.address)
        monitor.start()
        monitor.waitUntilListening()
        let path = "/org/freedesktop/login1/session/"
        // Another person's session first: if it counted, its event would be heard before the others.
        #expect(bus.call(path + "c2", "org.freedesktop.login1.Session", "Lock"))
        #expect(bus.call(path + "c2", "org.freedesktop.login1.Session", "SetLockedHint", ["b", "true"]))
        #expect(bus.call(path + "c1", "org.freedesktop.login1.Session", "SetLockedHint", ["b", "false"]))
        #expect(heard.reaches(1))
        #expect(bus.call(path + "c1", "org.freedesktop.login1.Session", "Lock"))
        #expect(heard.reaches(2))
        #expect(bus.call(path + "c1", "org.freedesktop.login1.Session", "SetLockedHint", ["b", "true"]))
        #expect(heard.reaches(3))
        #expect(bus.call(path + "c1", "org.freedesktop.login1.Session", "Unlock"))
        #expect(heard.reaches(4))
        monitor.stop()
        #expect(heard.all == ["sessionUnlocked", "sessionLocked", "sessionLocked", "sessionUnlocked"])
    }

    /// A bus lets everybody send signals to one connection, and libsystemd lets them pass for those of the service.
    @Test(arguments: [["Lock"], ["Unlock"]])
    func hearsNobodyElseInTheNameOfLogin1(signal: [String]) throws {
        let bus = try #require(MockBus())
        try #require(bus.addSession("c1", of: 1000))
        let monitor = monitor(bus.address)
        monitor.start()
        monitor.waitUntilListening()
        let path = "/org/freedesktop/login1/session/c1"
        #expect(bus.forge([path, "org.freedesktop.login1.Session"] + signal))
        #expect(bus.forge(["/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", "true"]))
        // What login1 itself says comes after it.
        #expect(bus.call(path, "org.freedesktop.login1.Session", "SetLockedHint", ["b", "true"]))
        #expect(heard.reaches(1))
        monitor.stop()
        #expect(heard.all == ["sessionLocked"])
    }

    @Test func knowsWhetherASessionOfThePersonIsLocked() async throws {
        let bus = try #require(MockBus())
        try #require(bus.addSession("c1", of: 1000) && bus.addSession("c2", of: 1001) && bus.addSession("c3", of: 1000))
        let monitor = monitor(bus.address)
        #expect(await !monitor.isSessionLocked())
        monitor.start()
        monitor.waitUntilListening()
        let path = "/org/freedesktop/login1/session/"
        #expect(bus.call(path + "c2", "org.freedesktop.login1.Session", "SetLockedHint", ["b", "true"]))
        #expect(await !monitor.isSessionLocked())
        #expect(bus.call(path + "c3", "org.freedesktop.login1.Session", "SetLockedHint", ["b", "true"]))
        #expect(await monitor.isSessionLocked())
        #expect(bus.call(path + "c3", "org.freedesktop.login1.Session", "SetLockedHint", ["b", "false"]))
        #expect(await !monitor.isSessionLocked())
        monitor.stop()
        #expect(await !monitor.isSessionLocked())
    }

    @Test func holdsTheSleepUntilTheEventWasHandled() async throws {
        let bus = try #require(MockBus())
        let gate = Gate()
        let monitor = monitor(bus.address, sleepGate: gate)
        monitor.start()
        monitor.waitUntilListening()
        #expect(monitor.holdsDelay)
        #expect(bus.emit("org.freedesktop.login1.Manager", "PrepareForSleep", true))
        #expect(heard.reaches(1) && heard.all == ["willSleep"])
        #expect(monitor.holdsDelay)
        gate.open()
        #expect(MockBus.poll { !monitor.holdsDelay })
        #expect(bus.emit("org.freedesktop.login1.Manager", "PrepareForSleep", false))
        #expect(MockBus.poll { monitor.holdsDelay })
        monitor.stop()
        #expect(heard.all == ["willSleep", "slept"] && reports.all.isEmpty)
    }

    /// Otherwise an unlock that is done sooner would be undone by the lock before it.
    @Test func anEventWaitsForTheOneBeforeIt() throws {
        let bus = try #require(MockBus())
        try #require(bus.addSession("c1", of: 1000))
        let gate = Gate()
        let monitor = monitor(bus.address, sleepGate: gate)
        monitor.start()
        monitor.waitUntilListening()
        #expect(bus.emit("org.freedesktop.login1.Manager", "PrepareForSleep", true))
        #expect(heard.reaches(1))
        for signal in ["Lock", "Unlock"] {
            try call(signal, of: "c1", by: monitor)
        }
        gate.open()
        #expect(heard.reaches(4))
        monitor.stop()
        #expect(heard.all == ["willSleep", "slept", "sessionLocked", "sessionUnlocked"])
    }

    /// The signal arrives before the answer for which the connection waits at that moment. Without what
    /// ``BusConnection`` does about it, one in some 150 was lost.
    @Test func hearsALockWhileItAsksForSomething() throws {
        let bus = try #require(MockBus())
        try #require(bus.addSession("c1", of: 1000))
        let monitor = monitor(bus.address)
        monitor.start()
        monitor.waitUntilListening()
        for count in 1...50 {
            try call("Lock", of: "c1", by: monitor)
            try #require(heard.reaches(count), "\(count)")
        }
        monitor.stop()
    }

    /// Has login1 send a signal by a call of the monitor's own connection; returns when it was told what it says.
    private func call(_ signal: String, of session: String, by monitor: LoginMonitor) throws {
        let object = BusObject(
            service: LoginMonitor.service, path: "/org/freedesktop/login1/session/\(session)",
            interface: LoginMonitor.session)
        try monitor.queue.sync {
            try #require(monitor.bus).call(object, signal) { _ in }
        }
        monitor.waitUntilListening()
    }

    @Test func saysWhenTheBusGoesAway() throws {
        let bus = try #require(MockBus())
        let monitor = monitor(bus.address)
        monitor.start()
        monitor.waitUntilListening()
        bus.end()
        #expect(reports.reaches(1))
        #expect(reports.all[0].contains("system bus is gone"))
        monitor.stop()
    }
}
