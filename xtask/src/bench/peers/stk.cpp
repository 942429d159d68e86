// What a mode costs in STK: its modal bar as it comes, and its modal instrument with 64 modes.
#include "timing.h"
#include <cmath>
#include <stk/ModalBar.h>
#include <string>

// The instrument with any number of modes.
class Bars : public stk::Modal {
  public:
    Bars(unsigned int modes, const std::string &wave) : stk::Modal(modes) {
        wave_ = new stk::FileWvIn(wave, true);
        for (unsigned int i = 0; i < modes; i++) {
            this->setRatioAndRadius(i, 1.0 + 1.5 * i, 0.9999);
            this->setModeGain(i, 1.0 / modes);
        }
        this->setFrequency(100.0);
    }
    ~Bars() { delete wave_; }
    void controlChange(int, stk::StkFloat) {}
};

// The stick's sound, in a file as STK wants it: raw, 16 bit, big-endian.
static std::string stick(const std::string &folder) {
    std::string path = folder + "/marmstk1.raw";
    FILE *file = fopen(path.c_str(), "wb");
    for (int n = 0; n < 256; n++) {
        int value = (int)(16000 * std::sin(0.1 * n) * std::exp(-0.02 * n));
        fputc((value >> 8) & 255, file);
        fputc(value & 255, file);
    }
    fclose(file);
    return path;
}

template <class Instrument> static double ns(Instrument &instrument, int modes) {
    stk::StkFrames out(kBlock, 1);
    int block = 0;
    // Struck ten times a second.
    return shortest_ns(75, [&] {
        if (block++ % 75 == 0) instrument.noteOn(100.0, 0.8);
        instrument.tick(out);
    }) / modes;
}

int main(int, char **arguments) {
    stk::Stk::setSampleRate(kRate);
    std::string folder = arguments[1];
    std::string wave = stick(folder);
    stk::Stk::setRawwavePath(folder + "/");
    stk::ModalBar bar;
    Bars bars(64, wave);
    printf("modal bar, 4 modes\t%.3f\n", ns(bar, 4));
    printf("its class with 64 modes\t%.3f\n", ns(bars, 64));
}
