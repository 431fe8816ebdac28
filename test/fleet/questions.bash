# questions.bash - the questions of docs/fleet.md and those of questions.sql, which every engine answers alike.
# shellcheck shell=bash

# same_answers WHAT OPTION...: `hindsight fleet query` of HINDSIGHT_FLEET with the options has the rows that SQLite
# has of the folder or bucket FLEET_WANTED
same_answers() {
    local what=$1 asked=0 question; shift
    sed -n '/^```sql$/,/^```$/p' "$ROOT/docs/fleet.md" | sed '/^```/d; /^--/d' | tr '\n' ' ' | tr ';' '\n' |
        grep SELECT | cat - "$ROOT/test/fleet/questions.sql" >questions
    while IFS= read -r question; do
        "$HINDSIGHT" fleet query --from "$FLEET_WANTED" "$question" --json >want 2>err || fail "$question: $(cat err)"
        "$HINDSIGHT" fleet query "$question" --json "$@" >have 2>err
        cmp -s <(sort want) <(sort have) ||
            fail "$what: $question: $(diff <(sort want) <(sort have) | head -n 3) $(cat err)"
        asked=$((asked + 1))
    done <questions
    [ $asked -ge 26 ] || fail "$what: $asked questions"
}
