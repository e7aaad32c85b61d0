import FoundationEssentials
import Vault

/// A day that never ends.
struct FixedCalendar: WallClock {
    func now() -> Date { Date(timeIntervalSince1970: 1_795_464_000.123) }
}
