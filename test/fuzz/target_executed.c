/* target_executed.c - a class file that nobody verified in a trace of Asked.java, whose code expressions execute: u1
 * which of them is the first, le2 moment, then the class file. */
#include "reader/trace.h"
#include "test/fuzz/kept.h"

/* In the frame of Asked.here, whose `this` has an object of each class. */
static const struct asked {
    const char *class, *expression;
} asked[] = {
    { "Asked$Numbers", "numbers.ints(12345)" },
    { "Asked$Numbers", "numbers.longs(1L << 40)" },
    { "Asked$Numbers", "numbers.reals(-2.5)" },
    { "Asked$Numbers", "numbers.chosen(100) + numbers.chosen(1)" },
    { "Asked$Numbers", "numbers.looped(50)" },
    { "Asked$Numbers", "new Asked.Numbers().i" },
    { "Asked$Node", "node.depth()" },
    { "Asked$Node", "node.holds(node.next)" },
    { "Asked$Node", "node.grown(4).twice()" },
    { "Asked$Node", "\"\" + new Asked.Node(\"x\", node)" },
    { "Asked$Arrays", "arrays.filled(2)" },
    { "Asked$Arrays", "arrays.caught(1) + arrays.caught(7)" },
    { "Asked$Arrays", "arrays.thrown(0) + arrays.thrown(3)" },
    { "Asked$Arrays", "new Asked.Arrays().grid[1][2]" },
    { "Asked$Texts", "texts.built(3)" },
    { "Asked$Texts", "texts.applied(4)" },
    { "Asked$Texts", "texts.streamed(5)" },
    { "Asked$Texts", "texts.formatted(6)" },
    { "Asked$Named", "node.twice()" },
    { "Asked", "new Asked().numbers.i + new Asked().node.depth()" },
};
enum { ASKED = 3 };

void fuzz_executed(const uint8_t *data, size_t size)
{
    struct reader in = reader_of(data, size);
    const unsigned first = read_u1(&in), moment = read_u1(&in) | (unsigned)read_u1(&in) << 8;
    const char *name = asked[first % FUZZ_COUNT(asked)].class;
    hs_trace *t;
    struct hs_error error = HS_ERROR_INIT;
    const char *trace = kept_with_class(KEPT_ASKED, name, data + in.at, size - in.at);
    if (hs_open(trace, HS_OPEN_READONLY, NULL, &t, &error) != 0) {
        FUZZ_CHECK(error.text[0] != '\0');
        return;
    }
    for (unsigned i = 0; i < ASKED; i++) {
        const struct hs_evaluation *v;
        const char *expression = asked[(first + i) % FUZZ_COUNT(asked)].expression;
        if (hs_evaluate(t, moment % hs_event_count(t), 0, expression, &v, &error) != 0)
            FUZZ_CHECK(error.text[0] != '\0');
        else
            FUZZ_CHECK(v->not_recorded == NULL || v->throws == NULL);
    }
    hs_close(t);
}
