/* crash.c - native code of Victim.java that ends the process: 0 by a write to nowhere, 1 by abort(). */
#include <stdlib.h>

void Java_Victim_crash(void *env, void *class, int how)
{
    (void)env, (void)class;
    if (how == 0)
        *(volatile int *)0 = 1;
    abort();
}
