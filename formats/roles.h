/* roles.h - what an event of a data ID means for the frames of a thread, where it means anything
 * (logging/drain/super_calls.h).
 *
 * Stored in the ROLE database: first data ID of a class -> pairs of varints, distance from the last one and role, for
 * the data IDs that have one. */
#ifndef FORMATS_ROLES_H
#define FORMATS_ROLES_H

enum role {
    ROLE_NONE,        /* of no frame but its own */
    ROLE_ENTER,       /* METHOD_ENTRY */
    ROLE_LEAVE,       /* METHOD_NORMAL_EXIT */
    ROLE_EXCEPTIONAL, /* METHOD_EXCEPTIONAL_EXIT; the last data ID of its method */
    ROLE_SUPER,       /* last event before a call of this(...) or super(...) */
    ROLE_SUPER_MARK,  /* stands for ROLE_SUPER where CALL is not woven; not stored */
    ROLE_SUPER_DONE,  /* first event after that call */
    ROLE_CATCH_LABEL,
    ROLE_CATCH,
    ROLE_NEUTRAL, /* of a method without EXEC: its frames are not told of, so its events prove nothing */
};

#endif
