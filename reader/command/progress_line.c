/* progress_line.c - see progress_line.h. The state is one for the process, because messages, output and a signal
 * handler have to erase the bar. Only the thread that runs the command shows it. */
#include "reader/command/progress_line.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "reader/command/pager.h"
#include "reader/command/terminal.h"

enum { DELAY_S = 1, AGAIN_MS = 100, KNOWN_MS = 500 /* from then on the speed of a phase is known */, WORTH_MS = 5000 };

static struct {
    const char *command, *phase;
    uint64_t from_ms; /* it is shown from then on */
    uint64_t phase_ms, shown_ms;
    uint64_t phase_done;     /* when the phase was first seen */
    bool terminal, reported; /* reported: that there is an index being made */
} bar;
static atomic_bool visible;

static uint64_t now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static uint64_t delay_s(void)
{
    const char *text = getenv("HINDSIGHT_PROGRESS_DELAY");
    return text != NULL && *text >= '0' && *text <= '9' ? strtoul(text, NULL, 10) : DELAY_S;
}

void progress_line_begin(const char *command)
{
    bar.command = command;
    bar.phase = NULL;
    bar.from_ms = now_ms() + 1000 * delay_s();
    bar.shown_ms = 0;
    bar.terminal = isatty(STDERR_FILENO) != 0;
}

static void time_left(uint64_t ms, char *out, size_t size)
{
    uint64_t s = (ms + 999) / 1000;
    if (s < 100)
        (void)snprintf(out, size, ", %llu s left", (unsigned long long)s);
    else if (s < 6000)
        (void)snprintf(out, size, ", %llu min left", (unsigned long long)((s + 59) / 60));
    else
        (void)snprintf(out, size, ", %.1f h left", (double)s / 3600);
}

/* What the phase still takes at its speed so far. */
static uint64_t left_ms(uint64_t now, uint64_t done, uint64_t total)
{
    const uint64_t steps = done - bar.phase_done;
    return steps > 0 ? (uint64_t)((double)(now - bar.phase_ms) / (double)steps * (double)(total - done)) : 0;
}

static void draw(uint64_t now, uint64_t done, uint64_t total)
{
    char text[256], left[64] = "", row[300];
    if (done > bar.phase_done && now - bar.phase_ms >= KNOWN_MS)
        time_left(left_ms(now, done, total), left, sizeof left);
    int n = snprintf(text, sizeof text, "hindsight %s: %s %u %%%s", bar.command, bar.phase,
                     (unsigned)(100.0 * (double)done / (double)total), left);
    struct screen screen = terminal_screen(STDERR_FILENO);
    size_t fits = (size_t)n;
    if (screen.columns > 1)
        fits = terminal_fit(text, (size_t)n, screen.columns - 1); /* no line feed at the edge */
    int bytes = snprintf(row, sizeof row, "\r%.*s\033[K", (int)fits, text);
    visible = true;
    (void)!write(STDERR_FILENO, row, (size_t)bytes);
}

/* The line for a file or a pipe, if it is worth one. */
static void report(uint64_t now, uint64_t done, uint64_t total)
{
    char left[64] = "";
    const uint64_t ms = left_ms(now, done, total);
    if (bar.reported || strcmp(bar.phase, "index") != 0 || ms <= now - bar.phase_ms || ms < WORTH_MS * delay_s())
        return;
    bar.reported = true;
    time_left(ms, left, sizeof left);
    (void)fprintf(stderr, "hindsight %s: making the index of the trace, once: %u %%%s\n", bar.command,
                  (unsigned)(100.0 * (double)done / (double)total), left);
}

void progress_line_show(const char *phase, uint64_t done, uint64_t total)
{
    if (bar.command == NULL || (bar.terminal && pager_is_running()))
        return;
    uint64_t now = now_ms();
    if (bar.phase == NULL || strcmp(bar.phase, phase) != 0 || done < bar.phase_done) {
        bar.phase = phase;
        bar.phase_ms = now;
        bar.phase_done = done;
    }
    if (now < bar.from_ms || now - bar.shown_ms < AGAIN_MS || total == 0 || done > total)
        return;
    bar.shown_ms = now;
    (bar.terminal ? draw : report)(now, done, total);
}

void progress_line_erase(void)
{
    static const char erase[] = "\r\033[K";
    if (atomic_exchange(&visible, false))
        (void)!write(STDERR_FILENO, erase, sizeof erase - 1);
}
