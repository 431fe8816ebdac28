# Unentered: what cannot be known is not said.
from ask import *

seen, copied = [e["value"]["id"] for e in events("Unentered", event="NEW_ARRAY_RESULT", method="main")]
calls = {e["attr"]["name"]: e["seq"] for e in events("Unentered", event="CALL")}
same("handed to a woven method", "handed" in ask("object", "Unentered", seen, "--at", calls["arraycopy"] - 1)[0], False)
same("handed to the JDK", ask("object", "Unentered", seen)[0]["handed"]["attr"]["name"], "arraycopy")
same("both", ask("object", "Unentered", copied)[0]["handed"]["attr"]["name"], "arraycopy")
end()
