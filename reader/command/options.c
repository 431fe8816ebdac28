/* options.c - the command line, read by getopt_long of the C library from the table of the command.
 *
 * Operands and options may be mixed, also with POSIXLY_CORRECT. Only a command that runs another one ends its options
 * at the first operand: what follows belongs to the other command. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "formats/nearest.h"
#include "reader/command/cli.h"
#include "reader/command/moment.h"

enum { OPTIONS_MAX = 48, OPERAND = 1 /* of getopt, for operands in order */, LONG_ONLY = 256 };

struct parse {
    const struct command *command;
    struct context *context;
    char *args; /* the command's struct of arguments */
    char letters[2 * OPTIONS_MAX + 3];
    struct option longs[OPTIONS_MAX + 1]; /* .val: LONG_ONLY + index */
    size_t count;
    const char *given[OPTIONS_MAX]; /* of options that take one text: it */
};

bool cli_u64(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0)
        return false;
    *out = v;
    return true;
}

bool cli_object(const char *text, uint32_t *id, size_t *type_length)
{
    const char *hash = strrchr(text, '#');
    uint64_t number;
    if (!cli_u64(hash != NULL ? hash + 1 : text, &number) || number == 0 || number > UINT32_MAX)
        return false;
    *id = (uint32_t)number;
    *type_length = hash != NULL ? (size_t)(hash - text) : 0;
    return true;
}

/* The first row that means the same as row i: an abbreviation of both names is not ambiguous. */
static size_t first_name(const struct command *c, size_t i)
{
    const struct option_row *o = command_option(c, i);
    size_t first = 0;
    while (command_option(c, first)->offset != o->offset || command_option(c, first)->type != o->type)
        first++;
    return first;
}

/* The table in the form of getopt_long. "-": operands are returned in order; ":": a missing argument gives ':'. */
static void prepare(struct parse *p)
{
    const struct option_row *o;
    char *letter = p->letters;
    *letter++ = p->command->arguments == COMMAND_LINE ? '+' : '-';
    *letter++ = ':';
    for (size_t i = 0; i < OPTIONS_MAX && (o = command_option(p->command, i)) != NULL; i++) {
        bool flag = o->type == OPTION_FLAG;
        p->longs[i].name = o->name;
        p->longs[i].has_arg = flag ? no_argument : required_argument;
        p->longs[i].val = LONG_ONLY + (int)first_name(p->command, i);
        p->count = i + 1;
        if (o->letter == '\0')
            continue;
        *letter++ = o->letter;
        if (!flag)
            *letter++ = ':';
    }
}

/* The row for a value that getopt_long returned or left in optopt; NULL: none. */
static const struct option_row *find_row(const struct parse *p, int val)
{
    if (val >= LONG_ONLY)
        return command_option(p->command, (size_t)(val - LONG_ONLY));
    for (size_t i = 0; i < p->count; i++) {
        const struct option_row *o = command_option(p->command, i);
        if (val != 0 && o->letter == val)
            return o;
    }
    return NULL;
}

/* A moment of another form than a seq is looked for when the trace is open. */
static int store_moment(const struct parse *p, const struct option_row *o, const char *value)
{
    struct common *c = (struct common *)(void *)p->args;
    uint64_t *to = (uint64_t *)(void *)(p->args + o->offset);
    if (*value == '\0')
        return cli_fail(EXIT_USAGE, p->context, "--%s wants " MOMENT_FORMS, o->name);
    for (size_t i = 0; i < c->moment_count; i++)
        if (c->moments[i].to == to) /* given again: the last one counts */
            c->moments[i] = c->moments[--c->moment_count];
    if (cli_u64(value, to))
        return PARSED;
    if (c->moment_count == MOMENT_OPTIONS_MAX)
        return cli_fail(EXIT_USAGE, p->context, "--%s %s: too many moments", o->name, value);
    c->moments[c->moment_count++] = (struct moment_option){ o->name, value, to };
    *to = 0;
    return PARSED;
}

static int store(const struct parse *p, const struct option_row *o, const char *value)
{
    void *to = p->args + o->offset;
    switch (o->type) {
    case OPTION_FLAG: *(bool *)to = true; break;
    case OPTION_U64:
        if (!cli_u64(value, to))
            return cli_fail(EXIT_USAGE, p->context, "--%s wants a number, not '%s'", o->name, value);
        break;
    case OPTION_MOMENT: return store_moment(p, o, value);
    case OPTION_OBJECT:
        if (!cli_object(value, &(uint32_t){ 0 }, &(size_t){ 0 }))
            return cli_fail(EXIT_USAGE, p->context, "--%s %s: expects " CLI_OBJECT_FORMS, o->name, value);
        *(const char **)to = value;
        break;
    case OPTION_TEXT:
    case OPTION_EVENT:
    case OPTION_GROUPS:
    case OPTION_FORMAT:
    case OPTION_CHOICE: *(const char **)to = value; break;
    case OPTION_FILE:
    case OPTION_DIRECTORY:
        if (*value == '\0')
            return cli_fail(EXIT_USAGE, p->context, "--%s wants %s, not an empty name", o->name, o->argument);
        *(const char **)to = value;
        break;
    case OPTION_TEXTS:
    case OPTION_EVENTS: {
        struct texts *t = to;
        if (t->count == TEXTS_MAX)
            return cli_fail(EXIT_USAGE, p->context, "--%s may be given %d times at most", o->name, TEXTS_MAX);
        t->items[t->count++] = value;
        break;
    }
    }
    return PARSED;
}

/* An abbreviation of several options: names them. */
static int fail_ambiguous(const struct parse *p, const char *word, size_t length)
{
    char candidates[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < p->count; i++)
        if (strncmp(p->longs[i].name, word + 2, length) == 0 && used < sizeof candidates)
            used += (size_t)snprintf(candidates + used, sizeof candidates - used, "%s--%s", used > 0 ? ", " : "",
                                     p->longs[i].name);
    return cli_fail(EXIT_USAGE, p->context, "'%.*s' is ambiguous; it may be %s", (int)length + 2, word, candidates);
}

/* getopt_long has returned '?': an unknown option, an ambiguous one, or a flag with an argument. `word` is where. */
static int fail_option(const struct parse *p, const char *word)
{
    size_t candidates = 0;
    const struct option_row *flag = optopt >= LONG_ONLY ? find_row(p, optopt) : NULL;
    if (flag != NULL)
        return cli_fail(EXIT_USAGE, p->context, "--%s takes no argument, but has '%s'", flag->name,
                        strchr(word, '=') != NULL ? strchr(word, '=') + 1 : "");
    if (optopt != 0)
        return cli_fail(EXIT_USAGE, p->context, "unknown option '-%c'; see hindsight %s -h", optopt, p->context->name);
    size_t length = strcspn(word + 2, "=");
    for (size_t i = 0; i < p->count; i++)
        candidates += strncmp(p->longs[i].name, word + 2, length) == 0;
    if (candidates > 1 && length > 0)
        return fail_ambiguous(p, word, length);
    struct nearest n;
    char text[NEAREST_TEXT_MAX], *typed = strndup(word, length + 2);
    nearest_init(&n, typed != NULL ? typed + 2 : "");
    for (size_t i = 0; i < p->count; i++) {
        char shown[64];
        (void)snprintf(shown, sizeof shown, "--%s", p->longs[i].name);
        nearest_offer_as(&n, p->longs[i].name, shown);
    }
    free(typed);
    return cli_fail(EXIT_USAGE, p->context, "unknown option '%s'%s; see hindsight %s -h", word, nearest_text(&n, text),
                    p->context->name);
}

/* An option that takes one text was given before, with another one: the last alone would count. */
static int check_once(struct parse *p, const struct option_row *o, const char *value)
{
    size_t i = 0;
    const bool once = o->type != OPTION_FLAG && o->type != OPTION_U64 && o->type != OPTION_MOMENT &&
                      o->type != OPTION_TEXTS && o->type != OPTION_EVENTS;
    while (once && command_option(p->command, i) != o)
        i++;
    if (!once)
        return PARSED;
    const char *before = p->given[i];
    p->given[i] = value;
    return before == NULL || strcmp(before, value) == 0
               ? PARSED
               : cli_fail(EXIT_USAGE, p->context, "--%s is given twice, as '%s' and as '%s'", o->name, before, value);
}

static int take_option(struct parse *p, int got, const char *word)
{
    if (got == '?')
        return fail_option(p, word);
    const struct option_row *o = find_row(p, got == ':' ? optopt : got);
    if (got == ':')
        return cli_fail(EXIT_USAGE, p->context, "--%s wants an argument: %s",
                        strncmp(word, "--", 2) == 0 ? word + 2 : o->name, o->argument);
    int status = check_once(p, o, optarg);
    if (status == PARSED)
        status = store(p, o, optarg);
    if (status == PARSED && ((const struct common *)p->args)->help)
        return help_command(p->context, p->command);
    return status;
}

static int take_operand(const struct parse *p, const char *word)
{
    struct common *c = (struct common *)p->args;
    if (c->argument_count >= p->command->arguments)
        return cli_fail(EXIT_USAGE, p->context, "unexpected argument '%s'; see hindsight %s -h", word,
                        p->context->name);
    c->arguments[c->argument_count++] = word;
    return PARSED;
}

/* -5, -2s: no option begins with a digit. */
static bool is_negative(const char *word)
{
    return word[0] == '-' && (isdigit((unsigned char)word[1]) || (word[1] == '.' && isdigit((unsigned char)word[2])));
}

static int check_colour(const struct parse *p, const char *when)
{
    if (when == NULL || strcmp(when, "auto") == 0 || strcmp(when, "always") == 0 || strcmp(when, "never") == 0)
        return PARSED;
    return cli_fail(EXIT_USAGE, p->context, "--color wants auto, always or never, not '%s'", when);
}

int cli_parse(struct context *context, void *args)
{
    struct common *c = args;
    struct parse p = { .command = command_find(context->name), .context = context, .args = args };
    int status = PARSED;
    c->limit = UINT64_MAX;
    c->name_max = NAME_MAX_DEFAULT;
    prepare(&p);
    opterr = 0;
    optind = 0; /* glibc: begin anew */
    (void)getopt_long(1, context->argv, p.letters, p.longs, NULL);
    while (status == PARSED) {
        if (p.command->arguments != COMMAND_LINE && optind < context->argc && is_negative(context->argv[optind])) {
            status = take_operand(&p, context->argv[optind++]);
            continue;
        }
        int got = getopt_long(context->argc, context->argv, p.letters, p.longs, NULL);
        if (got == -1)
            break;
        status = got == OPERAND ? take_operand(&p, optarg) : take_option(&p, got, context->argv[optind - 1]);
    }
    c->rest = optind;
    for (int i = optind; i < context->argc && status == PARSED && p.command->arguments != COMMAND_LINE; i++)
        status = take_operand(&p, context->argv[i]);
    if (status == PARSED)
        status = check_colour(&p, c->colour);
    return status;
}
