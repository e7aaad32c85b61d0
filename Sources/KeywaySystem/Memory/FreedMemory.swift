import CSys

/// Memory that was freed and that the C library keeps for later.
package enum FreedMemory {
    /// Gives it back to the system: for a process that lives long and has just had more to do than usual. Takes
    /// milliseconds.
    package static func giveBack() {
        csys_trim_heap()
    }
}
