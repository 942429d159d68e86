// Time of this thread, and the shortest of many runs of it.
#include <algorithm>
#include <cstdio>
#include <ctime>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

static const int kBlock = 64;
static const int kRate = 48000;

static inline double now_ns() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e9 * now.tv_sec + now.tv_nsec;
}

// Shortest time of one of 200 runs of `blocks` blocks, ns per sample.
template <class Play> static double shortest_ns(int blocks, Play play) {
#if defined(__SSE__)
    // Numbers too small to matter are zero, as every host has it.
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
    double best = 1e30;
    for (int run = 0; run < 200; run++) {
        double start = now_ns();
        for (int block = 0; block < blocks; block++) play();
        best = std::min(best, now_ns() - start);
    }
    return best / blocks / kBlock;
}
