/* source_map.c - see source_map.h. Time and memory are bounded by the size of the attribute, and 65536 lines. */
#include "formats/jvm/source_map.h"

#include "formats/jvm/cpool.h"
#include "formats/search.h"

enum { LINES_MAX = 65536 }; /* line_number is a u2 */

/* ---- lines of text and numbers ---- */

struct scan {
    struct text line; /* the current one, without blanks at both ends */
    const char *at, *end;
};

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Lines end as in JSR-45: \n, \r or both. */
static bool next_line(struct scan *s)
{
    const char *begin = s->at, *end;
    if (s->at == s->end)
        return false;
    while (s->at < s->end && *s->at != '\n' && *s->at != '\r')
        s->at++;
    end = s->at;
    if (s->at < s->end)
        s->at += *s->at == '\r' && s->at + 1 < s->end && s->at[1] == '\n' ? 2 : 1;
    while (begin < end && is_blank(*begin))
        begin++;
    while (end > begin && is_blank(end[-1]))
        end--;
    s->line = (struct text){ begin, (size_t)(end - begin) };
    return true;
}

/* A number at the begin of the line, which goes on behind it; false: there is none. Those that no class file can use
 * are the same to us. */
static bool take_number(struct text *line, uint32_t *out)
{
    size_t n = 0;
    uint32_t v = 0;
    for (; n < line->size && line->data[n] >= '0' && line->data[n] <= '9'; n++)
        v = v > INT32_MAX / 10 - 1 ? v : v * 10 + (uint32_t)(line->data[n] - '0');
    line->data += n;
    line->size -= n;
    *out = v;
    return n > 0;
}

static bool take_char(struct text *line, char c)
{
    const bool there = line->size > 0 && *line->data == c;
    line->data += there;
    line->size -= there;
    return there;
}

static enum status malformed(const struct scan *s, struct error *err)
{
    return error_set(err, ERR_FORMAT, "SourceDebugExtension: malformed at \"%.*s\"",
                     s->line.size < 60 ? (int)s->line.size : 60, s->line.data);
}

/* ---- sections ---- */

/* The folder of a path, without what leads to a root. */
static struct text folder_of(struct text path)
{
    while (take_char(&path, '/'))
        continue;
    while (path.size > 0 && path.data[path.size - 1] != '/')
        path.size--;
    return path;
}

static enum status read_file(struct source_map *map, struct scan *s, struct error *err)
{
    struct text row = s->line;
    const bool has_path = take_char(&row, '+');
    struct mapped_file f = { 0 };
    while (take_char(&row, ' '))
        continue;
    if (!take_number(&row, &f.number) || !take_char(&row, ' '))
        return malformed(s, err);
    while (take_char(&row, ' '))
        continue;
    f.name = row;
    if (has_path && !next_line(s))
        return malformed(s, err);
    if (has_path)
        f.folder = folder_of(s->line);
    struct mapped_file *to = vec_push(&map->files);
    if (to == NULL)
        return error_memory(err, "SourceDebugExtension");
    *to = f;
    return OK;
}

static int by_number(const void *a, const void *b)
{
    const struct mapped_file *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

struct row {
    uint32_t line, file, repeat, output, increment;
};
typedef VEC(struct row) row_vec;

static enum status read_row(row_vec *rows, struct scan *s, struct error *err)
{
    struct text text = s->line;
    /* without a file it is that of the row before */
    struct row r = { .file = rows->count > 0 ? rows->items[rows->count - 1].file : 0, .repeat = 1, .increment = 1 };
    bool ok = take_number(&text, &r.line);
    if (ok && take_char(&text, '#'))
        ok = take_number(&text, &r.file);
    if (ok && take_char(&text, ','))
        ok = take_number(&text, &r.repeat);
    ok = ok && take_char(&text, ':') && take_number(&text, &r.output);
    if (ok && take_char(&text, ','))
        ok = take_number(&text, &r.increment);
    if (!ok || text.size > 0)
        return malformed(s, err);
    struct row *to = vec_push(rows);
    if (to == NULL)
        return error_memory(err, "SourceDebugExtension");
    *to = r;
    return OK;
}

/* Which section the line begins; '\0': it begins none. */
static char section_of(struct text line) { return line.size >= 2 && line.data[0] == '*' ? line.data[1] : '\0'; }

/* Files and rows of the default stratum. */
static enum status read_stratum(struct source_map *map, struct text stratum, struct scan *s, row_vec *rows,
                                struct error *err)
{
    char section = '\0';
    bool inside = false; /* of the stratum */
    enum status st = OK;
    while (st == OK && section != 'E' && next_line(s)) {
        const char begun = section_of(s->line);
        if (section == 'O' && begun != 'C') /* a map of a file that was translated twice: it is resolved elsewhere */
            continue;
        if (begun == 'S') {
            struct text name = { s->line.data + 2, s->line.size - 2 };
            while (take_char(&name, ' '))
                continue;
            inside = text_same(name, stratum);
        }
        if (begun != '\0')
            section = begun;
        else if (inside && s->line.size > 0 && section == 'F')
            st = read_file(map, s, err);
        else if (inside && s->line.size > 0 && section == 'L')
            st = read_row(rows, s, err);
    }
    return st;
}

/* ---- the map ---- */

/* `next[line]` leads to the first line from there on that no row has yet. */
static uint32_t free_line(uint32_t *next, uint32_t line)
{
    uint32_t end = line;
    while (next[end] != end)
        end = next[end];
    while (next[line] != end) {
        const uint32_t then = next[line];
        next[line] = end;
        line = then;
    }
    return end;
}

static enum status add_row(struct source_map *map, const struct row *r, uint32_t *next, struct error *err)
{
    size_t file;
    LOWER_BOUND(file, map->files.count, map->files.items[file].number < r->file);
    if (file == map->files.count || map->files.items[file].number != r->file)
        return error_set(err, ERR_FORMAT, "SourceDebugExtension: there is no file %u", r->file);
    const uint64_t lines = (uint64_t)r->repeat * r->increment;
    const uint32_t end = r->output >= LINES_MAX          ? r->output
                         : lines > LINES_MAX - r->output ? LINES_MAX
                                                         : r->output + (uint32_t)lines;
    for (uint32_t first = r->output; first < end;) {
        first = free_line(next, first);
        uint32_t last = first;
        while (last < end && next[last] == last) {
            next[last] = last + 1;
            last++;
        }
        if (last == first)
            break;
        struct mapped_lines *to = vec_push(&map->lines);
        if (to == NULL)
            return error_memory(err, "SourceDebugExtension");
        *to = (struct mapped_lines){ .first = first,
                                     .last = last - 1,
                                     .base = r->output,
                                     .increment = r->increment,
                                     .line = r->line,
                                     .file = (uint32_t)file };
        first = last;
    }
    return OK;
}

static int by_first(const void *a, const void *b)
{
    const struct mapped_lines *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static enum status add_rows(struct source_map *map, const row_vec *rows, struct error *err)
{
    uint32_t *next = malloc((LINES_MAX + 1) * sizeof *next);
    enum status st = next != NULL ? OK : error_memory(err, "SourceDebugExtension");
    for (uint32_t i = 0; st == OK && i <= LINES_MAX; i++)
        next[i] = i;
    if (map->files.count > 0)
        qsort(map->files.items, map->files.count, sizeof *map->files.items, by_number);
    for (size_t i = 0; st == OK && i < rows->count; i++)
        st = add_row(map, &rows->items[i], next, err);
    if (map->lines.count > 0)
        qsort(map->lines.items, map->lines.count, sizeof *map->lines.items, by_first);
    free(next);
    return st;
}

enum status source_map_read(struct source_map *map, struct text attribute, struct error *err)
{
    struct scan s = { .at = attribute.data, .end = attribute.data + attribute.size };
    row_vec rows = { 0 };
    *map = (struct source_map){ 0 };
    if (!next_line(&s) || !text_is(s.line, "SMAP") || !next_line(&s) || !next_line(&s))
        return malformed(&s, err);
    const struct text stratum = s.line;
    enum status st = stratum.size > 0 && !text_is(stratum, "Java") ? read_stratum(map, stratum, &s, &rows, err) : OK;
    if (st == OK && rows.count > 0)
        st = add_rows(map, &rows, err);
    vec_free(&rows);
    return st;
}

void source_map_done(struct source_map *map)
{
    vec_free(&map->files);
    vec_free(&map->lines);
}

const struct mapped_lines *source_map_find(const struct source_map *map, uint32_t table_line)
{
    size_t i;
    LOWER_BOUND(i, map->lines.count, map->lines.items[i].last < table_line);
    return i < map->lines.count && map->lines.items[i].first <= table_line ? &map->lines.items[i] : NULL;
}
