/* control.c - see control.h. */
#include "reader/command/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/schema.h"

bool control_is_pid(const char *word)
{
    return *word != '\0' && word[strspn(word, "0123456789")] == '\0' && strlen(word) < 10;
}

/* A line of /proc/PID/maps that maps DIR/journal; cuts it off after DIR. NULL: another line. In this file blanks stand
 * for themselves and a newline in a path is written \012. */
static const char *journal_directory(char *line, size_t size)
{
    static const char tail[] = "/" TRACE_JOURNAL_FILE "\n";
    size_t tail_size = sizeof tail - 1;
    const char *dir = strchr(line, '/');
    if (dir == NULL || strstr(line, " rw-s ") == NULL || size <= tail_size)
        return NULL;
    if (strcmp(line + size - tail_size, tail) != 0)
        return NULL;
    line[size - tail_size] = '\0';
    return strlen(dir) < PATH_MAX ? dir : NULL;
}

bool control_trace_of(const char *pid, char out[PATH_MAX])
{
    char path[64], *line = NULL;
    size_t size = 0;
    bool found = false;
    (void)snprintf(path, sizeof path, "/proc/%.10s/maps", pid);
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return false;
    while (!found) {
        ssize_t n = getline(&line, &size, f);
        if (n <= 0)
            break;
        const char *dir = journal_directory(line, (size_t)n);
        found = dir != NULL;
        if (found)
            (void)snprintf(out, PATH_MAX, "%s", dir);
    }
    free(line);
    (void)fclose(f);
    return found;
}

const char *control_text(const cJSON *answer, const char *key)
{
    const char *s = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(answer, key));
    return s != NULL ? s : "";
}

uint64_t control_number(const cJSON *answer, const char *key)
{
    const double n = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(answer, key));
    return n >= 0 && n < 0x1p64 ? (uint64_t)n : 0; /* NaN: it is no number */
}

int control_print(struct context *context, const struct common *c, const char *line, const char *pid,
                  void (*print)(struct out *o, bool as_json, const char *pid, const cJSON *answer))
{
    struct out o;
    int status = EXIT_FAILED;
    cJSON *answer = cJSON_Parse(line);
    const char *error = answer != NULL ? control_text(answer, "error") : "the answer is not JSON";
    if (*error != '\0') {
        (void)cli_fail(EXIT_FAILED, context, "%s%s%s", pid != NULL ? pid : "", pid != NULL ? ": " : "", error);
        goto out;
    }
    if (!cli_out_init(&o, context, c)) {
        (void)cli_fail(EXIT_FAILED, context, "out of memory");
        goto out;
    }
    print(&o, c->json, pid, answer);
    status = cli_out_end(&o, context, EXIT_DONE);
out:
    cJSON_Delete(answer);
    return status;
}
