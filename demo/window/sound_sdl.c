/* The samples are mixed in the thread of the window and put into the device's queue, so nothing
 * needs a lock. The queue holds enough for three frames. */
#include "sound_sdl.h"

#include <errno.h>
#include <string.h>

enum { CHUNK = 512, QUEUED = MIXER_RATE / 20 }; // pairs of samples

// ---- the device

SDL_AudioDeviceID sound_sdl_open(void) {
    SDL_AudioSpec wanted = {
        .freq = MIXER_RATE, .format = AUDIO_F32SYS, .channels = 2, .samples = CHUNK};
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) return 0;
    SDL_AudioDeviceID device = SDL_OpenAudioDevice(NULL, 0, &wanted, NULL, 0);
    if (device) SDL_PauseAudioDevice(device, 0);
    return device;
}

void sound_sdl_close(SDL_AudioDeviceID device) {
    if (device) SDL_CloseAudioDevice(device);
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
}

void sound_sdl_feed(SDL_AudioDeviceID device, demo_show *show) {
    float samples[2 * CHUNK];
    while (device && SDL_GetQueuedAudioSize(device) < 2 * QUEUED * sizeof *samples) {
        mixer_mix(&show->mixer, samples, CHUNK);
        if (SDL_QueueAudio(device, samples, sizeof samples) != 0) return;
    }
}

// ---- the file

static void put(uint8_t *at, uint32_t value, int bytes) { // in little-endian order
    for (int i = 0; i < bytes; i++) at[i] = (uint8_t)(value >> 8 * i);
}

static bool write_header(const sound_file *sound) {
    enum { PCM = 1, CHANNELS = 2, BYTES = 2 };
    uint8_t head[44] = "RIFF....WAVEfmt ";
    put(head + 4, 36 + sound->bytes, 4);
    put(head + 16, 16, 4);
    put(head + 20, PCM, 2);
    put(head + 22, CHANNELS, 2);
    put(head + 24, MIXER_RATE, 4);
    put(head + 28, MIXER_RATE * CHANNELS * BYTES, 4);
    put(head + 32, CHANNELS * BYTES, 2);
    put(head + 34, 8 * BYTES, 2);
    memcpy(head + 36, "data", 4);
    put(head + 40, sound->bytes, 4);
    return fwrite(head, sizeof head, 1, sound->file) == 1;
}

bool sound_file_open(sound_file *sound, const char *path) {
    *sound = (sound_file){.file = fopen(path, "wb")};
    if (sound->file && write_header(sound)) return true;
    fprintf(stderr, "cairn-demo: cannot write %s: %s\n", path, strerror(errno));
    return false;
}

bool sound_file_add(sound_file *sound, demo_show *show, int pairs) {
    while (pairs > 0) {
        float samples[2 * CHUNK];
        uint8_t written[4 * CHUNK];
        int count = pairs < CHUNK ? pairs : CHUNK;
        mixer_mix(&show->mixer, samples, count);
        for (int i = 0; i < 2 * count; i++)
            put(written + 2 * i, (uint32_t)(int32_t)(32767 * samples[i]), 2);
        if (fwrite(written, 4, (size_t)count, sound->file) != (size_t)count) return false;
        sound->bytes += 4 * (uint32_t)count;
        pairs -= count;
    }
    return true;
}

bool sound_file_close(sound_file *sound) {
    if (!sound->file) return true;
    bool done = fseek(sound->file, 0, SEEK_SET) == 0 && write_header(sound);
    done = fclose(sound->file) == 0 && done;
    sound->file = NULL;
    if (!done) fputs("cairn-demo: the sound is not complete\n", stderr);
    return done;
}
