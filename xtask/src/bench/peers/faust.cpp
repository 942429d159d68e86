// What a mode costs in the code that Faust makes.
#include "timing.h"
#include <faust/dsp/dsp.h>
#include <faust/gui/UI.h>
#include <faust/gui/meta.h>

<<includeIntrinsic>>
<<includeclass>>

int main() {
    static mydsp modes;
    modes.init(kRate);
    float in[kBlock] = {}, out[kBlock];
    float *ins[] = {in}, *outs[] = {out};
    int block = 0;
    double ns = shortest_ns(75, [&] {
        in[0] = block++ % 75 == 0;
        modes.compute(kBlock, ins, outs);
    });
    printf("%.3f\n", ns / 64);
}
