# Components of records without the group FIELD: Records.java prints what is known of each.
from ask import *

said = [line.rstrip("\n") for line in open(work + "/Records.out")]
seen = [e for e in events("Records") if (e["event"], e["method"]) == ("METHOD_PARAM", "see")]
same("calls of see", len(seen), len(said))
for e, line in zip(seen, said):
    same("seq %d" % e["seq"], str(e["value"].get("value", "null")), line)
end()
