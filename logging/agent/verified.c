/* verified.c - woven classes are verified before the JVM gets them: verify=.
 *
 * A class that the JVM refuses would end the program with a VerifyError that it does not have without the agent. So
 * what our verifier (weaver/verify) refuses is given up: the JVM gets the class as it was, and the trace has the
 * reason. Verifying takes about two thirds of the time of weaving; by default only classes of rare shapes are verified.
 * All others have been, by the tests of the weaver, for more than a hundred thousand classes. */
#include <stdio.h>

#include "logging/agent/agent.h"
#include "weaver/verify/verify.h"

enum status verified_woven(struct weave_result *r, bool saved, struct error *err)
{
    const enum verify_choice choice = agent.options.verify;
    struct error why = { 0 };
    if (r->bytes.size == 0 || choice == VERIFY_OFF || (choice == VERIFY_RARE && (saved || !r->rare_shape)))
        return OK;
    enum status s = verify_class(r->bytes.data, r->bytes.size, &why);
    if (s == OK)
        return OK;
    r->hidden = r->starts = r->ends = 0;
    for (size_t i = 0; i < r->row.methods.count; i++)
        r->row.methods.items[i].groups = 0;
    return s == ERR_FORMAT ? error_set(err, s, "the woven class would not be verified: %s", why.text)
                           : error_set(err, s, "%s", why.text);
}
