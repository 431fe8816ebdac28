/* dap_contents.c - what collections, texts and boxes of the JDK held, as variables; see dap.h. */
#include <stdio.h>

#include "reader/command/show_contents.h"
#include "reader/serve/dap.h"

/* What an entry is shown as; the answer itself ends with the next question. */
struct shown {
    char *name;
    struct expression_value value;
};

static struct expression_value value_of(const struct hs_value *v, uint64_t seq)
{
    return (struct expression_value){ .known = true, .kind = v->kind, .bits = v->bits, .seq = seq };
}

static char *name_of(struct dap *d, struct arena *arena, const struct hs_contents *c, uint64_t i)
{
    const struct hs_entry *e = c->entries[i];
    d->text.used = 0;
    if (e->key != NULL)
        show_value_text(&d->show, (e->key_number != NULL ? e->key_number : e->key)->kind,
                        (e->key_number != NULL ? e->key_number : e->key)->bits);
    else if (c->shape == HS_CONTENTS_VALUE)
        out_text(&d->text, "value");
    else
        out_format(&d->text, "%llu", (unsigned long long)i);
    char *name = arena_chars(arena, d->text.used + 1);
    if (name != NULL) {
        memcpy(name, d->text.data, d->text.used);
        name[d->text.used] = '\0';
    }
    return name;
}

bool dap_contents(struct dap *d, uint32_t id, uint64_t start, uint64_t count)
{
    const struct hs_contents *c;
    struct arena arena = { 0 };
    if (hs_contents_at(d->trace, id, nav_seq(d->nav), &c, NULL) <= 0)
        return false;
    if (!c->known || c->shape == HS_CONTENTS_TEXT) {
        d->text.used = 0;
        show_contents_summary(&d->show, c);
        char *text = arena_chars(&arena, d->text.used + 1);
        if (text != NULL && start == 0) {
            memcpy(text, d->text.data, d->text.used);
            text[d->text.used] = '\0';
            json_object(&d->json);
            json_member_text(&d->json, "name", "contents");
            json_member_text(&d->json, "value", text);
            json_member_u64(&d->json, "variablesReference", 0);
            json_end(&d->json);
        }
    }
    uint64_t end = start < c->entry_count && count < c->entry_count - start ? start + count : c->entry_count, n = 0;
    struct shown *shown = start < end ? arena_array(&arena, end - start, sizeof *shown) : NULL;
    for (uint64_t i = start; shown != NULL && i < end; i++, n++)
        shown[n] = (struct shown){ name_of(d, &arena, c, i), value_of(c->entries[i]->value, c->entries[i]->seq) };
    for (uint64_t i = 0; i < n; i++)
        if (shown[i].name != NULL)
            dap_variable(d, shown[i].name, &shown[i].value, NULL, NULL);
    arena_done(&arena);
    return true;
}
