/* run.c - runs a command; see context.h. */
#include "reader/command/commands.h"
#include "reader/command/context.h"

int command_run(struct host *host, int argc, char **argv)
{
    if (host != NULL && host->program != NULL)
        return apart_run(host, argc, argv);
    struct context context = { .name = argv[0], .argc = argc, .argv = argv, .host = host };
    return command_find(argv[0])->run(&context);
}
