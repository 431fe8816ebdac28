/* interrupt.c - see interrupt.h. */
#include "reader/cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include "reader/cli/pager.h"
#include "reader/cli/progress_line.h"

enum { PATIENCE_S = 2 };

static volatile sig_atomic_t seen;

static void on_signal(int number)
{
    if (number == SIGINT && seen == 0) {
        seen = 1;
        (void)alarm(PATIENCE_S);
        return;
    }
    progress_line_erase();
    (void)pager_end();
    _exit(EXIT_INTERRUPTED);
}

void interrupt_catch(void)
{
    struct sigaction before, ours = { .sa_handler = on_signal };
    if (sigaction(SIGINT, NULL, &before) != 0 || before.sa_handler == SIG_IGN)
        return;
    /* without SA_RESTART: a write to a pager that does not read ends */
    (void)sigaction(SIGALRM, &ours, NULL);
    (void)sigaction(SIGINT, &ours, NULL);
}

bool interrupt_seen(void) { return seen != 0; }
