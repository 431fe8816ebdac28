/* failure_frames.c - the frames of a page; those that recursion repeats are shown once, see failure_show.h. */
#include "reader/cli/failure_show.h"

enum { VARIABLES_OF_FRAMES = 4, FRAMES_MOST = 24, CYCLE_MAX = 8 };

/* Frames from `begin` on that are shown together, of recursion those of one round; `shown` before them. */
struct round {
    size_t begin, frames, times, shown;
};

static bool same_place(const struct hs_frame *a, const struct hs_frame *b)
{
    return a->method_id == b->method_id && a->line == b->line;
}

/* So many rounds of `n` frames begin at `from`. */
static size_t rounds_at(const struct failure *f, size_t from, size_t n)
{
    size_t equal = 0;
    while (from + n + equal < f->frames.count &&
           same_place(&f->frames.items[from + equal], &f->frames.items[from + n + equal]))
        equal++;
    return 1 + equal / n;
}

/* The next round, from a zeroed one on; false: up to `rows` frames there is none. `begin` is then what is left out. */
static bool next_round(const struct failure *f, size_t rows, struct round *r)
{
    r->shown += r->frames;
    r->begin += r->frames * r->times;
    r->frames = r->times = 1;
    for (size_t n = 1; r->begin >= VARIABLES_OF_FRAMES && n <= CYCLE_MAX && r->times == 1; n++) {
        r->times = rounds_at(f, r->begin, n);
        r->frames = r->times > 1 ? n : 1;
    }
    return r->begin < f->frames.count && r->shown < rows && r->shown < FRAMES_MOST;
}

static void variables_text(struct show *s, const struct hs_frame *x)
{
    struct out *o = s->out;
    if (x->has_this) {
        out_format(o, "        %-16s ", "this");
        show_value_text(s, HS_KIND_REF, x->self);
        out_char(o, '\n');
    }
    for (size_t k = 0; k < x->parameter_count + x->local_count; k++) {
        const struct hs_variable *v = k < x->parameter_count ? x->parameters[k] : x->locals[k - x->parameter_count];
        out_format(o, "        %-16s ", v->name);
        out_colour(o, COLOUR_VALUE);
        show_value_text(s, v->kind, v->value);
        out_colour(o, COLOUR_NONE);
        out_char(o, '\n');
    }
}

void failure_frames_text(struct show *s, const struct failure *f, size_t rows, bool calls)
{
    struct out *o = s->out;
    struct round round = { 0 };
    while (next_round(f, rows, &round))
        for (size_t k = 0; k < round.frames; k++) {
            const struct hs_frame *x = &f->frames.items[round.begin + k];
            out_text(o, round.begin == 0 ? "at      " : "  from  ");
            failure_place_text(s, x->method_id, SPOT_OF(x), true);
            if (round.times > 1 && k + 1 == round.frames && k > 0)
                out_format(o, "  (these %zu, %zu times)", round.frames, round.times);
            else if (round.times > 1 && k + 1 == round.frames)
                out_format(o, "  (%zu times)", round.times);
            out_char(o, '\n');
            if (round.begin + k < VARIABLES_OF_FRAMES)
                variables_text(s, x);
        }
    if (round.begin < f->frames.count)
        failure_more_text(s, f->frames.count - round.begin, " frames", FAILURE_STATE, f->moment, calls);
}

static void frame_json(struct show *s, const struct hs_frame *x, size_t times)
{
    struct json *j = &s->out->json;
    json_object(j);
    show_method_spot_members(s, x->method_id, SPOT_OF(x), true);
    if (times > 1)
        json_member_u64(j, "times", times);
    if (x->entered != HS_NO_SEQ)
        json_member_u64(j, "entered", x->entered);
    json_name(j, "variables");
    json_object(j);
    for (size_t k = 0; k < x->parameter_count + x->local_count; k++) {
        const struct hs_variable *v = k < x->parameter_count ? x->parameters[k] : x->locals[k - x->parameter_count];
        json_name(j, v->name);
        show_value_json(s, v->kind, v->value);
    }
    json_end(j);
    json_end(j);
}

void failure_frames_member(struct show *s, const struct failure *f)
{
    struct json *j = &s->out->json;
    struct round round = { 0 };
    if (f->frames.count == 0)
        return;
    json_name(j, "frames");
    json_array(j);
    while (next_round(f, FRAMES_MOST, &round))
        for (size_t k = 0; k < round.frames; k++)
            frame_json(s, &f->frames.items[round.begin + k], round.times);
    json_end(j);
}

size_t failure_more_frames(const struct failure *f)
{
    struct round round = { 0 };
    while (next_round(f, FRAMES_MOST, &round))
        continue;
    return f->frames.count - round.begin;
}
