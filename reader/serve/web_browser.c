/* web_browser.c - opens the page in the browser of the desktop; see web.h.
 *
 * Every user of the machine can read the arguments of xdg-open and of the browser behind it. So what they get is the
 * name of a file that nobody else can read, and that leads to the address with the token. It is removed as soon as the
 * page has shown the token, or when the server ends. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/files.h"
#include "reader/command/cli.h"
#include "reader/serve/web.h"

extern char **environ;

static bool write_file(struct web *w, const char *address)
{
    const char *folder = getenv("XDG_RUNTIME_DIR"); /* of this user alone, in memory */
    char text[400];
    struct stat st;
    /* after su it is another user's, who could put another file in the place of ours */
    if (folder == NULL || *folder != '/' || stat(folder, &st) != 0 || st.st_uid != geteuid())
        folder = getenv("TMPDIR");
    if ((size_t)snprintf(w->opened, sizeof w->opened, "%s/hindsight-view-XXXXXX.html",
                         folder != NULL && *folder == '/' ? folder : "/tmp") >= sizeof w->opened) {
        errno = ENAMETOOLONG;
        return false;
    }
    int fd = mkostemps(w->opened, 5, O_CLOEXEC); /* mode 0600 */
    if (fd < 0)
        return false;
    int n = snprintf(text, sizeof text,
                     "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">"
                     "<meta http-equiv=\"refresh\" content=\"0; url=%s\"><a href=\"%s\">Hindsight</a>\n",
                     address, address);
    bool ok = file_write(fd, text, (size_t)n);
    return close(fd) == 0 && ok;
}

void web_open_browser(struct web *w, struct context *context, const char *address)
{
    const char *argv[] = { "xdg-open", w->opened, NULL };
    pid_t pid;
    if (getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL)
        return;
    if (!write_file(w, address)) {
        (void)cli_fail(0, context, "no browser is opened: %s: %s", w->opened, strerror(errno));
        return;
    }
    w->opens = true;
    if (posix_spawnp(&pid, argv[0], NULL, NULL, (char **)(uintptr_t)argv, environ) != 0)
        web_opened(w);
}

void web_opened(struct web *w)
{
    if (atomic_exchange(&w->opens, false))
        (void)unlink(w->opened);
}
