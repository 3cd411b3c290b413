/* sound_sdl: plays the sound of a show on a device of SDL, or writes it to a WAV file. */
#ifndef DEMO_SOUND_SDL_H
#define DEMO_SOUND_SDL_H

#include "../stage/show.h"

#include <SDL.h>

#include <stdio.h>

// Opens the device. Returns 0, which the other functions accept, if there is none.
SDL_AudioDeviceID sound_sdl_open(void);
void sound_sdl_close(SDL_AudioDeviceID device);
// Call it in each frame: mixes as many samples as the device needs until the next one.
void sound_sdl_feed(SDL_AudioDeviceID device, demo_show *show);

typedef struct {
    FILE *file;
    uint32_t bytes; // of samples
} sound_file;

// Return false, with a message on stderr, if the file cannot be written.
bool sound_file_open(sound_file *sound, const char *path);
bool sound_file_add(sound_file *sound, demo_show *show, int pairs);
bool sound_file_close(sound_file *sound);

#endif
