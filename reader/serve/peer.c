/* peer.c - see sockets.h. The kernel lists every TCP socket of this network with the user that made it
 * (proc_pid_net(5), proc_net_tcp of the kernel's documentation):
 *
 *     sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
 *      0: 0100007F:1234 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 4711 ...
 *
 * An address is written as words of the machine. A socket for both versions of IP (those of Java) has its address of
 * IPv4 mapped, in tcp6. A socket that its process has closed is listed without inode, and then as root's. */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reader/serve/sockets.h"

enum { END_MAX = 48, LINE_MAX_BYTES = 512 };

/* One end of a connection as in the table. `mapped`: an IPv4 address as IPv6. */
static void write_end(const struct sockaddr_storage *a, bool mapped, char text[END_MAX])
{
    uint32_t words[4] = { 0 };
    size_t first = 0;
    in_port_t port;
    if (a->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)a;
        memcpy(words, &v6->sin6_addr, sizeof words);
        port = v6->sin6_port;
    } else {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)a;
        words[2] = htonl(0xffff);
        words[3] = v4->sin_addr.s_addr;
        first = mapped ? 0 : 3;
        port = v4->sin_port;
    }
    int n = 0;
    for (size_t i = first; i < 4; i++)
        n += snprintf(text + n, END_MAX - (size_t)n, "%08X", words[i]);
    (void)snprintf(text + n, END_MAX - (size_t)n, ":%04X", ntohs(port));
}

/* The user of the socket with these ends; false: the table does not have it, or nobody holds it any more. */
static bool find_user(const char *table, const char *ends, uid_t *user)
{
    char line[LINE_MAX_BYTES];
    bool found = false;
    FILE *f = fopen(table, "re");
    while (f != NULL && !found && fgets(line, sizeof line, f) != NULL) {
        const char *at = strstr(line, ends);
        unsigned long uid, inode;
        if (at == NULL || sscanf(at + strlen(ends), " %*x %*x:%*x %*x:%*x %*x %lu %*d %lu", &uid, &inode) != 2 ||
            inode == 0)
            continue;
        *user = (uid_t)uid;
        found = true;
    }
    if (f != NULL)
        (void)fclose(f);
    return found;
}

bool socket_is_own(const struct sockaddr_storage *here, const struct sockaddr_storage *there)
{
    uid_t user;
    for (int mapped = 0; mapped < 2; mapped++) {
        char near[END_MAX], far[END_MAX], ends[2 * END_MAX + 4];
        write_end(here, mapped != 0, near);
        write_end(there, mapped != 0, far);
        (void)snprintf(ends, sizeof ends, " %s %s ", far, near);
        if (find_user(mapped != 0 || here->ss_family == AF_INET6 ? "/proc/self/net/tcp6" : "/proc/self/net/tcp", ends,
                      &user))
            return user == geteuid() || user == 0;
    }
    return false;
}
