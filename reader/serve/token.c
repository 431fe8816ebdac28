/* token.c - see sockets.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/files.h"
#include "reader/serve/sockets.h"

bool token_make(char token[TOKEN_SIZE])
{
    for (size_t i = 0; i + 2 < TOKEN_SIZE; i += 2) {
        unsigned char random;
        if (getrandom(&random, sizeof random, 0) != sizeof random)
            return false;
        (void)snprintf(token + i, 3, "%02x", random);
    }
    return true;
}

bool token_is(const char *token, const char *text, size_t size)
{
    unsigned different = size != TOKEN_SIZE - 1;
    for (size_t i = 0; i < size && i < TOKEN_SIZE - 1; i++)
        different |= (unsigned char)(text[i] ^ token[i]);
    return different == 0;
}

/* NULL, or why the file cannot keep a secret. */
static const char *not_secret(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return strerror(errno);
    if (st.st_uid != geteuid())
        return SOCKET_OF_ANOTHER_USER;
    return (st.st_mode & 077) != 0 ? "other users can read or write it; its mode must be 0600" : NULL;
}

/* An empty file gets a new token. */
static const char *read_token(int fd, char token[TOKEN_SIZE])
{
    char text[TOKEN_SIZE + 1];
    ssize_t n = read(fd, text, sizeof text);
    if (n == 0 && token_make(token) && file_write(fd, token, TOKEN_SIZE - 1) && file_write(fd, "\n", 1))
        return NULL;
    if (n <= 0)
        return strerror(errno);
    if (text[n - 1] == '\n')
        n--;
    text[n] = '\0';
    if (n != TOKEN_SIZE - 1 || strspn(text, "0123456789abcdef") != TOKEN_SIZE - 1)
        return "it does not hold a token: 32 hexadecimal digits";
    memcpy(token, text, TOKEN_SIZE);
    return NULL;
}

bool token_keep(const char *path, char token[TOKEN_SIZE], char *why, size_t size)
{
    int fd = file_make(AT_FDCWD, path, O_RDWR);
    const char *failure = fd < 0 ? strerror(errno) : not_secret(fd);
    if (failure == NULL)
        failure = read_token(fd, token);
    if (failure != NULL)
        (void)snprintf(why, size, "%s: %s", path, failure);
    if (fd >= 0)
        (void)close(fd);
    return failure == NULL;
}
