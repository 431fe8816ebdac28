/* test_options.c - logging/agent/options.h, which has no JVM types. The agent is no library to link with: the file is
 * included. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "logging/agent/options.c"

static struct options o;
static struct error err;

/* format=omni is added, since the default is not there yet. */
static enum status parse(const char *text)
{
    char all[8192];
    (void)snprintf(all, sizeof all, "format=omni%s%s", *text != '\0' ? "," : "", text);
    err.text[0] = '\0';
    return options_parse(&o, all, &err);
}

static void good(const char *text)
{
    if (parse(text) != OK)
        fail_msg("%s: %s", text, err.text);
}

/* One line that names the option. */
static void refused(const char *text, const char *part)
{
    assert_int_equal(parse(text), ERR_USAGE);
    assert_non_null(strstr(err.text, part));
    assert_null(strchr(err.text, '\n'));
    options_done(&o);
}

static void defaults_are_those_of_the_table(void **state)
{
    (void)state;
    good("");
    assert_int_equal(o.format, FORMAT_OMNI);
    assert_int_equal(o.groups, GROUP_ALL);
    assert_int_equal(o.size, 32);
    assert_int_equal(o.maxstring, OBJECT_STRING_UNITS_MAX);
    assert_true(o.string && o.control);
    assert_false(o.overwrite || o.timestamp || o.order_total || o.dump || o.quiet || o.start_off);
    assert_int_equal(o.exception, EXCEPTION_FULL);
    assert_int_equal(strncmp(o.output, "hindsight-", 10), 0);
    assert_null(strchr(o.output, '{'));
    options_done(&o);
}

static void every_option_is_taken(void **state)
{
    (void)state;
    good("output=here,overwrite=true,weave=EXEC+CALL,size=7,i=com.acme.,e=org.,exlocation=junit,string=false,maxstring="
         "0,exception=message,"
         "timestamp=true,order=total,dump=true,quiet=true,control=off,start=off,reply=/tmp/"
         "r,lognested=false,onfull=stop");
    assert_string_equal(o.output, "here");
    assert_true(o.overwrite && o.timestamp && o.order_total && o.dump && o.quiet);
    assert_false(o.string || o.control);
    assert_true(o.start_off);
    assert_string_equal(o.reply, "/tmp/r");
    assert_int_equal(o.groups, GROUP_BIT(EXEC) | GROUP_BIT(CALL));
    assert_int_equal(o.size, 7);
    assert_int_equal(o.maxstring, 0);
    assert_int_equal(o.exception, EXCEPTION_MESSAGE);
    assert_true(filter_wants(&o.filter, TEXT_OF("com/acme/A"), TEXT_OF(""), NULL));
    assert_false(filter_wants(&o.filter, TEXT_OF("org/A"), TEXT_OF(""), NULL));
    assert_false(filter_wants(&o.filter, TEXT_OF("A"), TEXT_OF("x/junit.jar"), NULL));
    options_done(&o);
}

static void placeholders_of_the_output_are_replaced(void **state)
{
    (void)state;
    char want[64];
    (void)snprintf(want, sizeof want, "a-%d-{b", (int)getpid());
    good("output=a-{pid}-{b");
    assert_string_equal(o.output, want);
    options_done(&o);
    good("output={time}/{time:yyyy-MM-dd}x");
    assert_int_equal(strlen(o.output), 13 + 1 + 10 + 1);
    assert_true(o.output[8] == '-' && o.output[13] == '/' && o.output[18] == '-' && o.output[24] == 'x');
    options_done(&o);
    refused("output={user}", "{user} is not known");
    refused("output=", "option output=");
}

static void wrong_values_name_the_option_and_what_is_accepted(void **state)
{
    (void)state;
    refused("overwrite=yes", "option overwrite=yes: accepted is true|false");
    refused("format=all", "option format=all: accepted is omni|");
    refused("weave=EXEC+FOO", "there is no group 'FOO'; accepted are EXEC CALL");
    refused("exception=none2", "full|message|none");
    refused("order=", "sync|total");
    refused("i=", "option i=");
    refused("only=", "option only=");
    refused("e=", "option e=");
    refused("exlocation=", "option exlocation=");
}

static void sizes_are_numbers_in_range(void **state)
{
    (void)state;
    static const char *const wrong_sizes[] = { "size=0",  "size=-1",       "size=",
                                               "size=x",  "size=3x",       "size= 3",
                                               "size=+3", "size=16777217", "size=99999999999999999999999" };
    for (size_t i = 0; i < sizeof wrong_sizes / sizeof *wrong_sizes; i++)
        refused(wrong_sizes[i], "from 1 to 16777216");
    good("size=16777216");
    assert_int_equal(o.size, 1 << 24);
    options_done(&o);
}

static void unknown_options_and_missing_values_are_refused(void **state)
{
    (void)state;
    refused("colour=red", "option colour: there is no such option; accepted are output overwrite");
    refused("weav=ALL", "option weav:");
    refused("weavee=ALL", "option weavee:");
    refused("strict=1", "option strict=1: accepted is true|false");
    refused("quiet", "option quiet: a value is missing; accepted is quiet=true|false");
    refused("quiet=true,,dump=true", "option :");
}

static void recordings_in_parts_have_their_options(void **state)
{
    (void)state;
    good("");
    assert_false(options_cut(&o));
    options_done(&o);
    good("logstart=A#m##CALL,logstart=B,logend=A#m##CALL_RETURN,lognested=true,format=latest,logsave=partial");
    assert_true(o.logstart != NULL && o.logend != NULL && o.lognested && o.logsave == SAVE_PARTIAL && options_cut(&o));
    options_done(&o);
    good("freeze=uncaught,freeze=com/acme/Broken,freezes=3");
    assert_true(o.freeze_uncaught && o.freeze.count == 1 && o.freezes == 3 && options_cut(&o));
    assert_string_equal(o.freeze.items[0], "com.acme.Broken");
    options_done(&o);
    refused("logstart=(", "option logstart=(: the class '(' is not a regular expression");
    refused("logend=a###FOO",
            "option logend=a###FOO: there is no event 'FOO'; accepted is Class#method#desc#EVENT;EVENT");
    refused("lognested=true", "option lognested: it needs logstart=");
    refused("lognested=yes,logstart=a", "option lognested=yes: accepted is true|false");
    refused("logsave=all,logend=a", "option logsave=all: accepted is snapshot|partial");
    refused("logsave=partial,logstart=a", "logend=");
    refused("logsave=partial,logend=a", "format=omni has nothing to save");
    refused("freeze=", "option freeze=: accepted is uncaught|CLASS");
    refused("freeze=uncaught,format=discard", "option freeze: format=discard");
    refused("freezes=2", "option freezes");
    refused("weave=EXEC,logstart=###CALL", "option logstart: none of its events is woven with weave=EXEC");
    good("weave=EXEC,logstart=###CALL,start=off");
    options_done(&o);
}

/* Every option that there is: its name alone, with nothing, and twice. */
static void an_option_without_a_value_is_one_clear_line(void **state)
{
    (void)state;
    for (int id = 0; id < OPT_COUNT; id++) {
        const struct row *row = &table[id];
        char text[256], named[64];
        (void)snprintf(named, sizeof named, "option %s", row->name);
        refused(row->name, named);
        (void)snprintf(text, sizeof text, "%s=", row->name);
        refused(text, named);
        if (row->repeatable || row->fallback[0] == '\0' || id == OPT_format || id == OPT_freezes || id == OPT_keep)
            continue;
        (void)snprintf(text, sizeof text, "%s=%s,%s=%s", row->name, row->fallback, row->name, row->fallback);
        good(text); /* twice the same */
        assert_null(o.twice);
        options_done(&o);
    }
    good("only=a.,only=b.,i=a.,i=b.,e=a.,e=b.,exlocation=a,exlocation=b");
    assert_null(o.twice);
    options_done(&o);
    good("format=omni,format=freq,size=3,size=3");
    assert_string_equal(o.twice, "format");
    assert_int_equal(o.format, FORMAT_FREQ);
    options_done(&o);
    static const char *const unknown[] = { "output=a{time:qq}", "output=a{time:}",    "output=a{time:yyyy-QQ}",
                                           "output={}",         "output={pid}{tim}x", "output=a{time:x}" };
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        refused(unknown[i], "is not known; accepted are {time}");
    good("output=a{time:yyyy-MM-dd_HHmmss}");
    options_done(&o);
}

static void passed_tests_are_dropped_where_that_is_possible(void **state)
{
    static const struct {
        const char *text;
        enum keep keep;
    } rows[] = {
        { "format=omni", KEEP_ALL },
        { "tests=on,format=omni", KEEP_FAILED },
        { "tests=on,format=omni,keep=failed,keep=failed", KEEP_FAILED },
        { "tests=on,format=omni,keep=failed+1", KEEP_FAILED_AND_ONE },
        { "tests=on,format=omni,keep=all", KEEP_ALL },
        { "tests=on,format=latest", KEEP_ALL },
        { "tests=on,format=omni,percall=7", KEEP_ALL },
        { "tests=on,format=omni,maxbytes=8M,onfull=drop-oldest", KEEP_ALL },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        good(rows[i].text);
        assert_int_equal(o.keep, rows[i].keep);
        options_done(&o);
    }
    refused("format=omni,keep=failed", "option keep: it needs tests=on");
    refused("tests=on,format=latest,keep=failed", "option keep: it needs format=omni");
}

static void bounds_have_units(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "maxbytes=", "maxbytes=x", "maxbytes=1", "maxbytes=7M", "maxbytes=-1", "maxbytes=1GB", "maxbytes=99999999999T",
        "maxbytes=G"
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(wrong[i], "at least 8M");
    good("maxbytes=200M,onfull=drop-oldest");
    assert_true(o.maxbytes == UINT64_C(200) << 20 && o.drop_oldest);
    options_done(&o);
    good("maxbytes=16777216");
    assert_true(o.maxbytes == 16 << 20 && !o.drop_oldest);
    options_done(&o);
}

static void formats_decide_what_is_recorded(void **state)
{
    (void)state;
    good("format=nearomni");
    assert_int_equal(o.format, FORMAT_LATEST);
    assert_true(o.sink == &sink_latest && o.values && !o.timestamp);
    options_done(&o);
    good("format=freq,weave=FIELD");
    assert_true(o.sink == &sink_freq && !o.values && o.groups == (group_set)1 << GROUP_FIELD);
    options_done(&o);
    good("format=timing,weave=FIELD");
    assert_true(o.timestamp && o.groups == (group_set)1 << GROUP_EXEC); /* all that it looks at */
    options_done(&o);
    good("format=omni");
    assert_true(o.sink == &sink_omni && o.values);
    options_done(&o);
}

static void a_later_start_may_change_groups_and_filter_only(void **state)
{
    (void)state;
    char groups[64];
    good("format=omni,weave=EXEC+CALL,i=com.acme.,e=org.,size=5");
    assert_int_equal(options_change(&o, "weave=LINE", &err), OK);
    options_groups(o.groups, groups, sizeof groups);
    assert_string_equal(groups, "LINE");
    assert_false(filter_wants(&o.filter, TEXT_OF("org/A"), TEXT_OF(""), NULL));
    assert_int_equal(options_change(&o, "only=com.acme.", &err), OK);
    assert_false(filter_wants(&o.filter, TEXT_OF("a/A"), TEXT_OF(""), NULL));
    assert_true(filter_wants(&o.filter, TEXT_OF("com/acme/A"), TEXT_OF(""), NULL));
    assert_int_equal(options_change(&o, "e=com.,weave=ALL", &err), OK); /* a new filter, not more of the old */
    options_groups(o.groups, groups, sizeof groups);
    assert_string_equal(groups, "ALL");
    assert_true(filter_wants(&o.filter, TEXT_OF("org/A"), TEXT_OF(""), NULL));
    assert_false(filter_wants(&o.filter, TEXT_OF("com/acme/A"), TEXT_OF(""), NULL));
    static const char *const wrong[] = { "size=6", "weave=EXEC,output=x", "weave=NONE", "i=",
                                         "quiet",  "e=a.,format=omni" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(options_change(&o, wrong[i], &err), ERR_USAGE);
    assert_non_null(
        strstr(err.text, "option format: there is no such option here; accepted are weave only i e exlocation"));
    assert_int_equal(o.groups, GROUP_ALL);
    assert_true(filter_wants(&o.filter, TEXT_OF("a/A"), TEXT_OF(""), NULL));
    assert_int_equal(options_change(&o, "", &err), OK);
    assert_int_equal(o.size, 5);
    options_done(&o);
}

static void a_bound_on_calls_needs_every_event_of_them(void **state)
{
    (void)state;
    good("");
    assert_int_equal(o.percall, 0);
    options_done(&o);
    good("percall=7,weave=EXEC+LOCAL");
    assert_int_equal(o.percall, 7);
    options_done(&o);
    refused("percall=0", "percall");
    refused("percall=7,weave=CALL", "weave=EXEC");
    refused("percall=7,format=latest", "format=omni");
    refused("percall=7,derive=on", "derive=on");
    refused("percall=7,logend=A#b", "logend=");
    refused("percall=7,prewoven=/tmp", "prewoven=");
}

static void only_a_stream_can_be_derived(void **state)
{
    (void)state;
    good("");
    assert_true(o.derive);
    options_done(&o);
    good("derive=off");
    assert_false(o.derive);
    options_done(&o);
    good("format=latest,derive=off");
    options_done(&o);
    good("format=latest");
    assert_false(o.derive);
    options_done(&o);
    good("percall=7");
    assert_false(o.derive);
    options_done(&o);
    refused("derive=on,format=latest", "option derive: it needs format=omni");
    refused("format=freq,derive=on", "option derive: it needs format=omni");
}

static void the_last_of_an_option_given_twice_holds(void **state)
{
    (void)state;
    good("size=1,size=2,quiet=true,quiet=false");
    assert_int_equal(o.size, 2);
    assert_false(o.quiet);
    options_done(&o);
}

static void any_text_is_safe(void **state)
{
    (void)state;
    uint32_t x = 12345;
    for (int round = 0; round < 20000; round++) {
        static const char *const pieces[] = { "output=", "{",      "}",    "time",    ":",     "yyyy",  ",",
                                              "=",       "weave=", "EXEC", "+",       "i=",    "size=", "9",
                                              "pid",     "|",      "true", "format=", "quiet=" };
        char text[256] = "";
        for (int i = 0; i < 8; i++) {
            x = x * 1664525 + 1013904223;
            const char *p = pieces[(x >> 16) % (sizeof pieces / sizeof *pieces)];
            strcat(text, p);
        }
        enum status s = options_parse(&o, text, &err);
        assert_true(s == OK || s == ERR_USAGE);
        options_done(&o);
    }
    assert_int_equal(options_parse(&o, NULL, &err), OK);
    assert_int_equal(o.format, FORMAT_LATEST);
    options_done(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_table),
        cmocka_unit_test(every_option_is_taken),
        cmocka_unit_test(placeholders_of_the_output_are_replaced),
        cmocka_unit_test(wrong_values_name_the_option_and_what_is_accepted),
        cmocka_unit_test(sizes_are_numbers_in_range),
        cmocka_unit_test(unknown_options_and_missing_values_are_refused),
        cmocka_unit_test(recordings_in_parts_have_their_options),
        cmocka_unit_test(an_option_without_a_value_is_one_clear_line),
        cmocka_unit_test(passed_tests_are_dropped_where_that_is_possible),
        cmocka_unit_test(bounds_have_units),
        cmocka_unit_test(formats_decide_what_is_recorded),
        cmocka_unit_test(a_later_start_may_change_groups_and_filter_only),
        cmocka_unit_test(a_bound_on_calls_needs_every_event_of_them),
        cmocka_unit_test(only_a_stream_can_be_derived),
        cmocka_unit_test(the_last_of_an_option_given_twice_holds),
        cmocka_unit_test(any_text_is_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
