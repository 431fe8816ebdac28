/* classes.c - the class hook: which classes are woven, and their rows in the trace.
 *
 * Runs on the thread that loads the class, often deep in the program's stack, so nothing large is kept on the stack.
 * Everything is read from fields of the class loader's objects; no method of the program is called. */
#include "logging/agent/agent.h"
#include "logging/agent/class_hook.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/derived.h"
#include "formats/files.h"
#include "formats/jvm/classfile.h"
#include "formats/roles.h"
#include "logging/agent/class_fate.h"
#include "logging/agent/jdk.h"
#include "weaver/weave.h"

/* With dump=true: writes the woven class file into the trace. The name is from the class file, which the JVM has not
 * checked yet. */
static void dump(struct text name, const struct writer *bytes)
{
    struct writer path = { 0 };
    write_bytes(&path, TRACE_WOVEN_DIR "/", sizeof TRACE_WOVEN_DIR);
    write_bytes(&path, name.data, name.size);
    write_bytes(&path, ".class", 6);
    int fd = !path.bad
                 ? file_make_below(agent.recorder.trace.fd, (const char *)path.data, path.size, O_WRONLY | O_TRUNC)
                 : -1;
    if (fd >= 0) {
        (void)file_write(fd, bytes->data, bytes->size);
        (void)close(fd);
    }
    writer_free(&path);
}

static void add_row(struct writer *rows, enum schema_db db, uint64_t key, const void *value, size_t size)
{
    struct pending_row row = { .db = db, .key = key, .value = value, .size = size };
    pending_encode(&row, rows);
}

/* Writes the roles of data IDs (formats/roles.h). */
static void put_roles(const struct dataid_rows *d, struct writer *w)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < d->count; i++)
        if (d->roles.data[i] != ROLE_NONE) {
            write_varint(w, i - last);
            write_varint(w, d->roles.data[i]);
            last = i;
        }
}

/* Rows of one class as one append. */
static bool store_class(const struct weave_result *r, const void *bytes, size_t size)
{
    struct writer rows = { 0 }, w = { 0 };
    uint32_t no = r->row.class_no;
    if (agent.recorder.failed) /* rows are not stored any more: the class is woven only to count the lost events */
        return true;
    class_row_encode(&r->row, &w);
    add_row(&rows, DB_CLASS, no, w.data, w.size);
    if (r->row.state == CLASS_WOVEN)
        add_row(&rows, DB_CLASSFILE, no, bytes, size);
    if (r->row.state == CLASS_WOVEN && r->dataids.count > 0) {
        w.size = 0;
        dataid_rows_encode(&r->dataids, &w);
        add_row(&rows, DB_DATAID, no, w.data, w.size);
        add_row(&rows, DB_KIND, r->row.first_dataid, r->dataids.kinds.data, r->dataids.kinds.size);
        w.size = 0;
        put_roles(&r->dataids, &w);
        add_row(&rows, DB_ROLE, r->row.first_dataid, w.data, w.size);
    }
    bool ok = !w.bad && pendinglog_add(&agent.recorder.pending, &rows);
    writer_free(&rows);
    writer_free(&w);
    return ok;
}

/* Nothing of the class is recorded. */
static void give_up(struct weave_result *r, struct text reason)
{
    r->row.state = CLASS_GIVEN_UP;
    r->row.reason = reason;
    r->row.dataid_count = 0;
    r->bytes.size = 0;
}

static struct method_triggers triggers_of(void *context, struct text class_name, struct text method, struct text desc)
{
    (void)context;
    return (struct method_triggers){ .starts = pattern_events(agent.options.logstart, class_name, method, desc),
                                     .ends = pattern_events(agent.options.logend, class_name, method, desc) };
}

/* Stores how many data IDs match the patterns, to explain a trace without intervals. */
void classes_put_triggers(void)
{
    char number[16];
    (void)snprintf(number, sizeof number, "%u", agent.starts_found);
    (void)pendinglog_put_info(&agent.recorder.pending, "starts_matched", number);
    (void)snprintf(number, sizeof number, "%u", agent.ends_found);
    (void)pendinglog_put_info(&agent.recorder.pending, "ends_matched", number);
}

static void add_cuts(const struct weave_result *r)
{
    for (uint32_t i = 0; agent.recorder.cuts.places != NULL && i < r->dataids.count; i++) {
        uint32_t place = dataid_rows_place(&r->dataids, i);
        cuts_add(&agent.recorder.cuts, recorder_first_dataid(&agent.recorder) + i, r->row.first_method + (place >> 8),
                 place & 0xff, dataid_rows_pc(&r->dataids, i));
    }
}

/* Adds what deriving needs of each data ID of the class (formats/derived.h). False: no memory. */
static bool add_sites(const struct weave_result *r)
{
    uint32_t count = r->dataids.count;
    uint32_t *rows = agent.recorder.sites != NULL ? malloc((count + 1) * (sizeof *rows + sizeof(uint16_t))) : NULL;
    if (rows == NULL)
        return agent.recorder.sites == NULL;
    uint16_t *pcs = (uint16_t *)(rows + count + 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = dataid_rows_place(&r->dataids, i),
                 next = i + 1 < count ? dataid_rows_place(&r->dataids, i + 1) : 0;
        const struct method_row *m = &r->row.methods.items[place >> 8];
        const bool entry = (place & 0xff) == EVENT_METHOD_ENTRY;
        rows[i] = derive_site_row(&(struct derive_site){
            .method = r->row.first_method + (place >> 8),
            .event = place & 0xff,
            .next = next & 0xff,
            .kind = r->dataids.kinds.data[i],
            .followed = m->followed,
            .inputs = m->inputs,
            .constructor = entry ? text_is(m->name, "<init>") : dataid_rows_constructor(&r->dataids, i) });
        pcs[i] = (uint16_t)dataid_rows_pc(&r->dataids, i);
    }
    recorder_add_sites(&agent.recorder, rows, pcs, count);
    free(rows);
    return true;
}

static enum added_call call_of(struct text name, uint64_t loader, const void *bytes, size_t size)
{
    if (agent.options.freeze_uncaught && text_is(name, "java/lang/Thread"))
        return CALL_UNCAUGHT;
    if (agent.options.output_recorded && text_is(name, "java/io/FileOutputStream"))
        return CALL_OUTPUT;
    return loaders_look_like_one(bytes, size) && (agent.weaving || loaders_class_answers(name, loader)) ? CALL_ASKED
                                                                                                        : NO_CALL;
}

/* May loops count or keep their records late? Not where all must pass the drain when it happens, nor where classes were
 * woven for any format. And only counts may,
 * where the JVM runs woven constructors of exceptions, whose events have numbers in the middle of a loop. */
static bool counts_rounds(void)
{
    return agent.recorder.counters.ring_room != 0 && agent.options.prewoven[0] == '\0' &&
           !format_get(agent.options.format)->times && /* whose counters are used now and then */
           (agent.recorder.journal.head->counts_only || !filter_includes_system(&agent.options.filter));
}

/* What of the class redact=, logstart= and logend= match. */
static void count_places(const struct weave_result *r)
{
    agent.hidden_places += r->hidden;
    if (r->hidden > 0)
        secrets_put_places();
    agent.starts_found += r->starts;
    agent.ends_found += r->ends;
    if (r->starts + r->ends > 0 && agent.options.keep == KEEP_ALL)
        classes_put_triggers();
}

/* A class that the JVM loads, or redefines. */
struct loading {
    jclass redefined;
    struct text name, loader, source, bytes;
    uint64_t loader_id;
    bool has_loader; /* not that of the boot loader */
    struct class_facts facts;
    struct woven_before before; /* with facts.seen */
};

static struct weave_config config_of(const struct loading *c, enum added_call added)
{
    static const struct weave_triggers at_once = { .events = triggers_of, .total = true },
                                       later = { .events = triggers_of }, of_tests = { .events = test_edges_of };
    const struct options *o = &agent.options;
    const struct weave_triggers *of_windows = agent.recorder.sites != NULL ? &later : &at_once;
    struct weave_config config = {
        .groups = o->groups,
        .first_dataid = recorder_first_dataid(&agent.recorder),
        .order_total = o->order_total,
        .skip_generated = o->skip_generated,
        .fold_trivial = o->fold_trivial,
        .left_out = o->percall > 0,
        .frames_only = options_frames_only(o),
        .counts_only = agent.recorder.journal.head->counts_only,
        .count_rounds = counts_rounds(),
        .direct = direct_calls_sites() != 0,
        .inputs = agent.inputs,
        .asks_loader = agent.inputs && (agent.transformers || !class_source_is_platform(c->loader)),
        .few_constants = c->redefined != NULL,
        .uncaught = added == CALL_UNCAUGHT,
        .output = added == CALL_OUTPUT,
        .output_class = HOOK_CLASS "Output",
        .asked = true,
        .hook_class = HOOK_CLASS,
        .triggers = options_in_parts(o)   ? of_windows
                    : o->keep != KEEP_ALL ? &of_tests
                                          : NULL,
        .redact = o->redact.globs.count > 0 ? &agent.options.redact : NULL,
        .redact_class = o->redact.globs.count > 0 ? HOOK_CLASS "Redact" : NULL,
    };
    config.in_generated = o->skip_generated && generated_classes_hold(c->bytes.data, c->bytes.size, c->loader_id);
    return config;
}

/* Weaves; *original is the class without hooks. Classes of ours are not saved. */
static enum status weave(const struct loading *c, struct weave_config *config, struct weave_result *r,
                         struct text *original, struct error *err)
{
    *original = c->bytes;
    return config->in_generated || c->facts.output
               ? weave_class(c->bytes.data, c->bytes.size, config, r, err)
               : saved_classes_weave(c->bytes.data, c->bytes.size, config, r, original, err);
}

/* Gives the row of a class that was woven its numbers. */
static void number_row(const struct loading *c, struct class_row *row)
{
    for (size_t i = 0; agent.code_changes && i < row->methods.count; i++)
        row->methods.items[i].followed = false;
    if (row->name.size == 0)
        row->name = c->name;
    row->class_no = agent.next_class++;
    row->first_method = agent.next_method;
    row->loader = c->loader;
    row->loader_id = c->loader_id;
    row->source = c->source;
    agent.next_method += (uint32_t)row->methods.count;
}

/* Stores the rows of a class that was woven, or was to be (`s`, `why`). False: it must not be used. */
static bool store_woven(struct weave_result *r, enum status *s, struct text why, struct text original)
{
    const bool left_out = *s == OK && r->row.state == CLASS_FILTERED; /* skip=generated */
    if (*s != OK)
        give_up(r, why);
    if (*s == OK && !left_out && !add_sites(r)) {
        *s = ERR_MEMORY;
        give_up(r, TEXT_OF("out of memory"));
    }
    if (*s == OK && !left_out)
        add_cuts(r);
    const bool stored = store_class(r, original.data, original.size);
    if (!stored && *s == OK && !left_out) {
        give_up(r, TEXT_OF("no memory for the rows of the class"));
        (void)store_class(r, NULL, 0); /* a few bytes, which may still be there */
    }
    return stored && (*s != OK || left_out ||
                      recorder_add_dataids(&agent.recorder, r->dataids.kinds.data, r->dataids.roles.data,
                                           r->triggers.data, r->dataids.count));
}

/* FATE_WOVEN: weaves and stores. Under the mutex. The woven bytes stay in `r`. */
static void weave_new(const struct loading *c, enum added_call added, struct weave_result *r)
{
    struct error *err = calloc(1, sizeof *err);
    struct weave_config config = config_of(c, added);
    const struct woven_before before = { config.first_dataid, config.few_constants, false },
                              as_it_is = { .as_it_is = true };
    struct text original = c->bytes;
    enum status s = err == NULL ? ERR_MEMORY : weave(c, &config, r, &original, err);
    /* JFR adds code to subclasses of its Event that were woven, and the JVM asks for them again: they have rows */
    if (s != OK && saved_classes_have_hooks(c->bytes.data, c->bytes.size) &&
        hierarchy_is_woven(c->name, c->loader_id)) {
        r->bytes.size = 0;
        free(err);
        return;
    }
    number_row(c, &r->row);
    const struct text name = c->name.size > 0 ? c->name : r->row.name;
    const bool left_out = s == OK && r->row.state == CLASS_FILTERED;
    if (left_out)
        generated_classes_add(name, c->loader_id);
    const struct text why = err != NULL ? (struct text){ err->text, strlen(err->text) } : TEXT_OF("out of memory");
    const bool kept = store_woven(r, &s, why, original), woven = s == OK && !left_out;
    if (!kept) {
        r->bytes.size = 0; /* without its rows its events could not be read */
    } else if (s != ERR_MEMORY) {
        if (woven)
            woven_before_add(r->bytes.data, r->bytes.size, c->loader_id, &as_it_is);
        woven_before_add(c->bytes.data, c->bytes.size, c->loader_id,
                         woven ? &before : &as_it_is); /* last: they may be the same bytes */
    }
    free(err);
    if (agent.recorder.failed || left_out) {
        agent.filtered += left_out && !agent.recorder.failed;
        return;
    }
    struct woven_first first = { true, true };
    if (s == OK && kept)
        first = hierarchy_woven(name, c->loader_id, r->row.hash);
    agent.woven += s == OK && kept && first.in_start && !c->facts.output;
    if (kept && first.of_file)
        count_places(r);
    agent.given_up += s != OK || !kept;
}

/* FATE_WOVEN_AGAIN: with the rows that it has. */
static void weave_again(const struct loading *c, enum added_call added, struct weave_result *r)
{
    struct error *err = calloc(1, sizeof *err);
    struct weave_config config = config_of(c, added);
    struct text original;
    config.first_dataid = c->before.first_dataid;
    config.few_constants = c->before.few_constants;
    if (err == NULL || weave(c, &config, r, &original, err) != OK)
        r->bytes.size = 0;
    free(err);
}

/* Adds only the call, and records nothing of the class. Not to woven code, which has it. */
static void add_call(struct weave_result *r, const unsigned char *bytes, size_t size, enum added_call added)
{
    struct error err;
    if (saved_classes_have_hooks(bytes, size))
        return;
    const struct weave_config config = { .hook_class = HOOK_CLASS,
                                         .asked = added == CALL_ASKED,
                                         .uncaught = added == CALL_UNCAUGHT,
                                         .output = added == CALL_OUTPUT,
                                         .output_class = HOOK_CLASS "Output" };
    if (weave_class(bytes, size, &config, r, &err) != OK || verified_woven(r, false, &err) != OK)
        r->bytes.size = 0;
}

static void store_unwoven(enum class_state state, const struct loading *c, struct text why)
{
    struct weave_result r = { 0 };
    r.row = (struct class_row){ .state = state,
                                .name = c->name,
                                .loader = c->loader,
                                .loader_id = c->loader_id,
                                .source = c->source,
                                .reason = why };
    r.row.class_no = agent.next_class++;
    (void)store_class(&r, NULL, 0);
    agent.filtered += state == CLASS_FILTERED && !agent.recorder.failed;
    agent.given_up += state == CLASS_GIVEN_UP && !agent.recorder.failed;
}

static bool give_bytes(jvmtiEnv *jvmti, const void *data, size_t size, jint *new_size, unsigned char **new_bytes)
{
    unsigned char *copy = NULL;
    if (size == 0 || (*jvmti)->Allocate(jvmti, (jlong)size, &copy) != JVMTI_ERROR_NONE)
        return false;
    memcpy(copy, data, size);
    *new_size = (jint)size;
    *new_bytes = copy;
    return true;
}

/* A class that is not to record: one of prewoven= has hooks and gets its original back. */
static void give_original(jvmtiEnv *jvmti, const unsigned char *bytes, size_t size, jint *new_size,
                          unsigned char **new_bytes)
{
    struct weave_result *r = agent.options.prewoven[0] != '\0' ? calloc(1, sizeof *r) : NULL;
    struct text original;
    if (r == NULL)
        return;
    (void)pthread_mutex_lock(&agent.weave_mutex);
    if (saved_classes_restore(bytes, size, r, &original))
        (void)give_bytes(jvmti, original.data, original.size, new_size, new_bytes);
    (void)pthread_mutex_unlock(&agent.weave_mutex);
    weave_result_done(r);
    free(r);
}

/* The name in the class file, malloc'ed: a loader that defines a class need not know it (defineClass(null, ...)). */
static char *name_in_file(const unsigned char *bytes, size_t size)
{
    struct classfile cf;
    struct error err;
    struct text name;
    bool found = classfile_read(&cf, bytes, size, &err) == OK && cpool_class(&cf.cp, cf.this_class, &name);
    char *copy = found ? strndup(name.data, name.size) : NULL;
    classfile_done(&cf);
    return copy;
}

/* What is known of the class, but for its call and what its loader answers. Under weave_mutex. */
static void find_facts(struct loading *c)
{
    struct class_facts *f = &c->facts;
    f->weaving = agent.weaving;
    f->started = agent.starts > 0;
    f->output = own_classes_is_recorded(c->name);
    f->why_not = TEXT_OF("");
    f->chosen = f->weaving && !f->output && own_classes_want(c->name, c->source, &f->why_not);
    f->never = filter_never(c->name);
    if (f->never == NULL)
        f->never = jdk_never(c->name);
    f->redefined = c->redefined != NULL;
    f->seen = NOT_SEEN;
    if (f->redefined && f->weaving && woven_before_find(c->bytes.data, c->bytes.size, c->loader_id, &c->before))
        f->seen = c->before.as_it_is ? SEEN_AS_IT_IS : SEEN_WOVEN;
}

/* Decides what becomes of the class, and asks its loader in between if need be. Under weave_mutex. */
static struct class_decision decide(JNIEnv *env, jobject loader, struct loading *c)
{
    c->facts.loader = class_source_is_platform(c->loader) ? LOADER_FINDS_HOOKS : LOADER_NOT_ASKED;
    find_facts(c);
    struct class_decision d = class_decide(&c->facts);
    if (d.fate != FATE_ASK_LOADER)
        return d;
    (void)pthread_mutex_unlock(&agent.weave_mutex);
    c->facts.loader = loaders_answer(env, loader) ? LOADER_ANSWERS : LOADER_REFUSES;
    (void)pthread_mutex_lock(&agent.weave_mutex);
    find_facts(c); /* a period may have ended, or begun */
    return class_decide(&c->facts);
}

/* Weaves, or adds the call. True if the JVM is given another class. Under weave_mutex. */
static bool change(jvmtiEnv *jvmti, const struct loading *c, const struct class_decision *d, jint *new_size,
                   unsigned char **new_bytes)
{
    struct weave_result *r = calloc(1, sizeof *r);
    if (r == NULL) {
        if (class_is_recorded(d))
            store_unwoven(CLASS_GIVEN_UP, c, TEXT_OF("out of memory"));
        return false;
    }
    switch (d->fate) {
    case FATE_WOVEN: weave_new(c, d->call, r); break;
    case FATE_WOVEN_AGAIN: weave_again(c, d->call, r); break;
    case FATE_KEPT:
    case FATE_CALL_ADDED:
    case FATE_SKIPPED:
    case FATE_IGNORED:
    case FATE_ASK_LOADER: break;
    }
    const bool woven = r->bytes.size > 0;
    if (!woven && d->call != NO_CALL) {
        weave_result_done(r);
        add_call(r, (const unsigned char *)c->bytes.data, c->bytes.size, d->call);
    }
    const bool given = give_bytes(jvmti, r->bytes.data, r->bytes.size, new_size, new_bytes);
    if (given && r->asked)
        loaders_changed(c->name, c->loader_id, c->redefined != NULL);
    if (given && woven && c->redefined == NULL)
        loaded_classes_note(c->name);
    if (given && woven && agent.options.dump)
        dump(r->row.name, &r->bytes);
    weave_result_done(r);
    free(r);
    return given;
}

/* What others want to know of each class. Under weave_mutex. */
static void show_class(const struct loading *c, const struct class_decision *d)
{
    const unsigned char *bytes = (const unsigned char *)c->bytes.data;
    if (d->early)
        agent.loaded_early = true;
    if (agent.weaving)
        unfinished_classes_note(c->name);
    if (agent.weaving && agent.options.redact.globs.count > 0)
        redact_see_class(&agent.options.redact, bytes, c->bytes.size);
    if (agent.inputs && (c->has_loader || class_is_recorded(d)))
        own_properties_look_at(bytes, c->bytes.size);
    if (c->redefined != NULL && class_is_recorded(d))
        direct_calls_forget();
}

static void on_class(jvmtiEnv *jvmti, JNIEnv *env, jclass redefined, jobject loader, const char *name, jobject domain,
                     const unsigned char *bytes, size_t size, jint *new_size, unsigned char **new_bytes)
{
    if (name == NULL && jdk_defines_anonymous())
        return;
    char *own_name = name == NULL ? name_in_file(bytes, size) : NULL;
    if (own_name != NULL)
        name = own_name;
    struct loading c = { .redefined = redefined,
                         .name = { name != NULL ? name : "", name != NULL ? strlen(name) : 0 },
                         .bytes = { (const char *)bytes, size },
                         .has_loader = loader != NULL };
    const bool hooks_ready = agent.hooks_ready;
    if (hooks_ready) {
        c.loader_id = hierarchy_loader(loader);
        c.facts.call = call_of(c.name, c.loader_id, bytes, size);
    }
    c.facts.ready = hooks_ready && !agent.dead;
    c.facts.stores = !agent.recorder.failed || recorder_counts_lost(&agent.recorder);
    c.facts.weaving = agent.weaving;
    if (class_is_ignored(&c.facts)) {
        give_original(jvmti, bytes, size, new_size, new_bytes);
        free(own_name);
        return;
    }
    struct writer loader_name = { 0 }, location = { 0 };
    class_source_put_loader(env, &loader_name, loader);
    class_source_put_location(env, &location, domain);
    c.loader = (struct text){ (const char *)loader_name.data, loader_name.size };
    c.source = (struct text){ (const char *)location.data, location.size };
    (void)pthread_mutex_lock(&agent.weave_mutex);
    const struct class_decision d = decide(env, loader, &c);
    show_class(&c, &d);
    if (d.row)
        store_unwoven(d.state, &c, d.why);
    const bool given = (class_is_recorded(&d) || d.call != NO_CALL) && change(jvmti, &c, &d, new_size, new_bytes);
    (void)pthread_mutex_unlock(&agent.weave_mutex);
    if (!given)
        give_original(jvmti, bytes, size, new_size, new_bytes);
    if (redefined != NULL && class_is_recorded(&d))
        hierarchy_above(env, redefined);
    free(own_name);
    writer_free(&loader_name);
    writer_free(&location);
}

void JNICALL classes_on_load(jvmtiEnv *jvmti, JNIEnv *env, jclass redefined, jobject loader, const char *name,
                             jobject domain, jint size, const unsigned char *bytes, jint *new_size,
                             unsigned char **new_bytes)
{
    struct writer whole = { 0 };
    if (!class_hook_is(jvmti))
        return;
    if (own_classes_keep(name, new_size, new_bytes)) {
        own_classes_guard();
        return;
    }
    const bool added = redefined != NULL && parameters_add(env, redefined, bytes, (size_t)size, &whole);
    const void *data = added ? whole.data : bytes;
    const size_t length = added ? whole.size : (size_t)size;
    on_class(jvmti, env, redefined, loader, name, domain, data, length, new_size, new_bytes);
    if (added && *new_bytes == NULL)
        (void)give_bytes(jvmti, data, length, new_size, new_bytes);
    writer_free(&whole);
}

bool classes_watch(bool on) { return class_hook_enable(on) && agent_enable(JVMTI_EVENT_CLASS_PREPARE, on); }
