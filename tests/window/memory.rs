//! Memory as the allocator counts it.

/// The statistics of the C library's allocator; only two of its counts are read.
#[repr(C)]
#[derive(Default)]
struct Counts {
    arena: usize,
    ordblks: usize,
    smblks: usize,
    hblks: usize,
    hblkhd: usize,
    usmblks: usize,
    fsmblks: usize,
    uordblks: usize,
    fordblks: usize,
    keepcost: usize,
}

#[allow(unsafe_code)]
unsafe extern "C" {
    safe fn mallinfo2() -> Counts;
}

/// Bytes that this process has allocated, if it has one heap (`MALLOC_ARENA_MAX`).
pub fn in_use() -> usize {
    let Counts { uordblks, hblkhd, .. } = mallinfo2();
    uordblks + hblkhd
}
