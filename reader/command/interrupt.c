/* interrupt.c - see interrupt.h. */
#include "reader/command/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include "reader/command/pager.h"
#include "reader/command/progress_line.h"

static volatile sig_atomic_t seen, patience_s = 2;

static void on_signal(int number)
{
    const struct sigaction ours = { .sa_handler = on_signal };
    if (seen == 0) {
        seen = number;
        (void)sigaction(SIGALRM, &ours, NULL); /* not before: who embeds the commands may use it */
        (void)alarm((unsigned)patience_s);
        return;
    }
    progress_line_erase();
    (void)pager_end();
    _exit(interrupt_status());
}

/* Unless the program was started with the signal ignored. */
static bool catch_signal(int number)
{
    struct sigaction before, ours = { .sa_handler = on_signal };
    if (sigaction(number, NULL, &before) != 0 || before.sa_handler == SIG_IGN)
        return false;
    /* without SA_RESTART: a write to a pager that does not read ends */
    return sigaction(number, &ours, NULL) == 0;
}

void interrupt_catch(void) { (void)catch_signal(SIGINT); }

void interrupt_catch_ends(void)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    (void)catch_signal(SIGTERM);
    (void)catch_signal(SIGHUP);
    (void)sigaction(SIGXFSZ, &ignore, NULL);
}

void interrupt_patience(unsigned seconds) { patience_s = (sig_atomic_t)seconds; }
bool interrupt_seen(void) { return seen != 0; }
int interrupt_status(void) { return seen > SIGINT || seen == SIGHUP ? 128 + (int)seen : EXIT_INTERRUPTED; }
