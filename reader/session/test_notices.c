/* test_notices.c - see test_notices.h. One cursor goes over the calls of all frameworks, and an object is given as its
 * id: to ask for its text would execute its toString. */
#include "reader/session/test_notices.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/map.h"
#include "reader/cursor/cursor.h"
#include "reader/session/evaluating.h"
#include "reader/session/watch_place.h"

static const struct {
    const char *word;
    int what;
} outcomes[] = {
#define TEST_FRAMEWORK(id, name)
#define TEST_CALL(...)
#define TEST_OUTCOME(word, what) { word, what },
#include "reader/session/test_frameworks.def"
};

enum column { OUTCOME, KEY, EXCEPTION, REASON, NAME, CLASS, METHOD, LEAF, PARTS };
static const struct test_call {
    enum framework framework;
    const char *place, *expressions[PARTS];
} calls[] = {
#define TEST_FRAMEWORK(id, name)
#define TEST_OUTCOME(word, what)
#define TEST_CALL(id, method, outcome, key, name, class, of, leaf, exception, reason)                                  \
    { id, method, { outcome, key, exception, reason, name, class, of, leaf } },
#include "reader/session/test_frameworks.def"
};
enum { CALLS = sizeof calls / sizeof *calls };

/* A test that was reported, by its key. */
struct known_test {
    uint64_t key;
    size_t first; /* 1 + the index of the first call that has its name; 0: none yet */
};
struct notices {
    struct nav *nav;
    struct arena *arena; /* of the caller */
    struct arena moment; /* of a call */
    struct writer text;
    struct watch_place places[CALLS];
    struct expression_tree *trees[CALLS][PARTS]; /* of calls that there are */
    u32_vec ids;
    MAP(struct known_test) known;
    notice_vec *out;
    hs_cursor *cursor;
};

/* ---- values ---- */

/* False: null, or not known. */
static bool value_of(struct moment_host *h, const struct expression_tree *tree, struct expression_value *out)
{
    struct hs_evaluation v;
    *out = moment_evaluate(h, tree->root);
    if (h->evaluation.status == ERR_USAGE) { /* another version of the framework has it not */
        h->evaluation.status = OK;
        h->evaluation.nameless = false;
        return false;
    }
    evaluation_of(out, &v);
    return v.not_recorded == NULL && v.throws == NULL && !(v.kind == HS_KIND_REF && v.bits == 0 && v.text == NULL);
}

/* Until the next text; NULL: null, or not known. */
static const char *text_of(struct notices *l, struct moment_host *h, const struct expression_value *v)
{
    l->text.size = 0;
    moment_text(h, v, &l->text);
    write_u1(&l->text, 0);
    return l->text.bad ? NULL : (const char *)l->text.data;
}

static const char *keep(struct notices *l, const char *text)
{
    const size_t size = text != NULL ? strlen(text) + 1 : 0;
    char *copy = text != NULL ? arena_chars(l->arena, size) : NULL;
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

static const char *keep_text(struct notices *l, struct moment_host *h, const struct expression_tree *tree)
{
    struct expression_value v;
    return value_of(h, tree, &v) ? keep(l, text_of(l, h, &v)) : NULL;
}

/* The name of the class that this object is, or else of its own; NULL: it is a text, or not known. */
static const char *class_of_object(hs_trace *t, const struct expression_value *v)
{
    const uint64_t id = v->kind == HS_KIND_REF ? v->bits : 0;
    const struct hs_type *type = id <= UINT32_MAX ? hs_type_get(t, (uint32_t)id) : NULL;
    const struct hs_object *o = id - 1 < UINT32_MAX ? hs_object_get(t, (uint32_t)id) : NULL;
    return type != NULL ? type->name : o != NULL && !o->has_string ? o->type : NULL;
}

/* What distinguishes two tests: an object by itself, not by what its toString says of it at the moment. */
static const char *key_of(struct notices *l, struct moment_host *h, const struct expression_tree *tree)
{
    char number[16];
    struct expression_value v;
    if (!value_of(h, tree, &v))
        return NULL;
    if (class_of_object(l->nav->trace, &v) == NULL)
        return keep(l, text_of(l, h, &v));
    (void)snprintf(number, sizeof number, "#%" PRIu32, (uint32_t)v.bits);
    return keep(l, number);
}

static const char *class_name(struct notices *l, struct moment_host *h, const struct expression_tree *tree)
{
    struct expression_value v;
    if (!value_of(h, tree, &v))
        return NULL;
    const char *name = class_of_object(l->nav->trace, &v);
    return keep(l, name != NULL ? name : text_of(l, h, &v));
}

static int outcome_of(struct notices *l, struct moment_host *h, const struct expression_tree *tree)
{
    struct expression_value v;
    const char *word = value_of(h, tree, &v) ? text_of(l, h, &v) : NULL;
    for (size_t i = 0; word != NULL && i < sizeof outcomes / sizeof *outcomes; i++)
        if (strcmp(outcomes[i].word, word) == 0)
            return outcomes[i].what;
    return -1;
}

/* ---- a call ---- */

/* "method(a.b.Class)", as JUnit 4 and 3 name tests. */
static void split_name(struct notices *l, struct notice *t)
{
    const size_t n = t->name != NULL ? strlen(t->name) : 0;
    const char *bracket = n > 0 && t->name[n - 1] == ')' ? strrchr(t->name, '(') : NULL;
    if (t->class_name != NULL)
        return;
    if (bracket == NULL) { /* of a class, whose set-up failed */
        t->class_name = t->method == NULL ? t->name : NULL;
        return;
    }
    char *copy = arena_chars(l->arena, n + 1);
    if (copy == NULL)
        return;
    const size_t method = (size_t)(bracket - t->name);
    memcpy(copy, t->name, n);
    copy[method] = copy[n - 1] = copy[n] = '\0';
    t->method = t->name = copy;
    t->class_name = copy + method + 1;
}

static void read_name(struct notices *l, struct moment_host *h, struct expression_tree *const *trees, struct notice *t)
{
    struct expression_value leaf;
    t->name = keep_text(l, h, trees[NAME]);
    t->class_name = class_name(l, h, trees[CLASS]);
    t->method = keep_text(l, h, trees[METHOD]);
    const bool known = value_of(h, trees[LEAF], &leaf);
    split_name(l, t);
    t->leaf = known ? leaf.bits != 0 : t->method != NULL;
}

/* The name of a test is asked for once. */
static bool name_test(struct notices *l, struct moment_host *h, struct expression_tree *const *trees, struct notice *t,
                      size_t number)
{
    struct known_test *known = NULL;
    if (t->key != NULL) {
        known = map_put(&l->known, (site_hash(t->key, strlen(t->key)) * 31 + t->framework) | 1);
        if (known == NULL)
            return false;
    }
    const struct notice *first = known != NULL && known->first > 0 ? &l->out->items[known->first - 1] : NULL;
    if (first != NULL && strcmp(first->key, t->key) == 0) {
        t->name = first->name;
        t->class_name = first->class_name;
        t->method = first->method;
        t->leaf = first->leaf;
        return true;
    }
    read_name(l, h, trees, t);
    if (known != NULL && t->name != NULL)
        known->first = number + 1;
    return true;
}

static enum status take_call(struct notices *l, const struct hs_event *e, size_t call, struct error *err)
{
    struct expression_tree *const *trees = l->trees[call];
    const struct moment_names names = { l->places[call].kind, e, 0 };
    struct expression_value exception;
    struct moment_host h;
    enum status st = OK;
    arena_clear(&l->moment);
    nav_stand(l->nav, e);
    moment_begin(&h, l->nav, e->thread, 0, &names, &l->moment, err);
    const int what = outcome_of(l, &h, trees[OUTCOME]);
    if (what >= 0) {
        const size_t number = l->out->count;
        struct notice t = { .framework = calls[call].framework, .what = what, .seq = e->seq, .thread = e->thread };
        t.key = key_of(l, &h, trees[KEY]);
        t.exception = value_of(&h, trees[EXCEPTION], &exception) ? (uint32_t)exception.bits : 0;
        t.reason = keep_text(l, &h, trees[REASON]);
        struct notice *to = name_test(l, &h, trees, &t, number) ? vec_push(l->out) : NULL;
        if (to == NULL)
            st = state_memory(l->nav->trace, err);
        else
            *to = t;
    }
    const enum status ended = moment_end(&h);
    return st != OK ? st : ended;
}

/* ---- all ---- */

static enum status read_trees(struct notices *l, size_t call, struct error *err)
{
    enum status st = OK;
    for (unsigned i = 0; st == OK && i < PARTS; i++)
        st = expression_parse(calls[call].expressions[i], &l->trees[call][i], err);
    return st;
}

static enum status find_calls(struct notices *l, struct error *err)
{
    for (size_t i = 0; i < CALLS; i++) {
        enum status st = watch_place_find(l->nav, HS_WATCH_ENTRY, calls[i].place, false, &l->places[i], err);
        if (st == ERR_NOT_FOUND || st == ERR_USAGE)
            continue;
        if (st == OK)
            st = read_trees(l, i, err);
        if (st != OK)
            return st;
        for (size_t k = 0; k < l->places[i].ids.count; k++) {
            uint32_t *to = vec_push(&l->ids);
            if (to == NULL)
                return state_memory(l->nav->trace, err);
            *to = l->places[i].ids.items[k];
        }
    }
    if (l->ids.count > 1)
        qsort(l->ids.items, l->ids.count, sizeof *l->ids.items, u32_order);
    return OK;
}

static bool has_id(const u32_vec *ids, uint32_t id)
{
    return ids->count > 0 && bsearch(&id, ids->items, ids->count, sizeof id, u32_order) != NULL;
}

static enum status take_calls(struct notices *l, struct error *err)
{
    const struct hs_filter all = HS_FILTER_ALL;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_event *e;
    int more = 0;
    if (l->ids.count == 0)
        return OK;
    if (cursor_open_ids(l->nav->trace, &all, l->ids.items, l->ids.count, &l->cursor, &error) != 0)
        return state_take(&error, err);
    while ((more = hs_event_next(l->cursor, &e, &error)) > 0) {
        const struct hs_event event = *e;
        for (size_t i = 0; i < CALLS; i++) {
            const enum status st = has_id(&l->places[i].ids, event.dataid) ? take_call(l, &event, i, err) : OK;
            if (st != OK)
                return st;
        }
    }
    return more < 0 ? state_take(&error, err) : OK;
}

enum status test_notices_read(hs_trace *t, struct arena *arena, notice_vec *out, struct error *err)
{
    struct notices l = { .arena = arena, .out = out };
    index_wish(t);
    enum status st = nav_open(t, &l.nav, err);
    if (st == OK) {
        l.nav->fields = field_watch_new(t);
        st = find_calls(&l, err);
    }
    if (st == OK)
        st = take_calls(&l, err);
    hs_cursor_close(l.cursor);
    for (size_t i = 0; i < CALLS; i++) {
        watch_place_done(&l.places[i]);
        for (unsigned k = 0; k < PARTS; k++)
            expression_free(l.trees[i][k]);
    }
    vec_free(&l.ids);
    map_free(&l.known);
    writer_free(&l.text);
    arena_done(&l.moment);
    nav_close(l.nav);
    return st;
}
