/* roles.h - the effect that an event of a data ID has on the frames of its thread, if any
 * (logging/drain/super_calls.h).
 *
 * Stored in the ROLE database: first data ID of a class -> pairs of varints, distance from the last one and role, for
 * the data IDs that have one. */
#ifndef FORMATS_ROLES_H
#define FORMATS_ROLES_H

enum role {
    ROLE_NONE,        /* no effect on frames */
    ROLE_ENTER,       /* METHOD_ENTRY */
    ROLE_LEAVE,       /* METHOD_NORMAL_EXIT */
    ROLE_EXCEPTIONAL, /* METHOD_EXCEPTIONAL_EXIT; the last data ID of its method */
    ROLE_SUPER,       /* last event before a call of this(...) or super(...) */
    ROLE_SUPER_MARK,  /* stands for ROLE_SUPER where CALL is not woven; not stored */
    ROLE_SUPER_DONE,  /* first event after that call, also of a handler around it */
    ROLE_CATCH_LABEL,
    ROLE_CATCH,
    /* of a method without EXEC: no event marks its frames, so its events say nothing about them. Also of
     * METHOD_OBJECT_INITIALIZED where calls of super(...) have no mark (weave_config.frames_only) */
    ROLE_NEUTRAL,
    ROLE_LEFT_OUT, /* EVENTS_LEFT_OUT; the first data ID of its method, where percall= is given */
    ROLE_COUNT
};

#endif
