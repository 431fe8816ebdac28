"""flights.py - the flights of exceptions: an object that is thrown anew has several, one that is thrown again by the
frame that caught it goes on."""

EVENTS = ("METHOD_THROW", "CATCH", "METHOD_EXCEPTIONAL_EXIT")
READS = ("GET_STATIC_FIELD", "GET_INSTANCE_FIELD_RESULT", "ARRAY_LOAD_RESULT", "CALL_RETURN")


def method(e):
    return e.site.cls, e.site.method, e.site.desc


class Flight:
    def __init__(self, e):
        self.events = [e]
        self.used = self.used_there = False  # after its CATCH: anywhere; in the method that caught it, of its own

    def goes_on(self, e, entered):
        before = self.events[-1]
        if e.site.event == "METHOD_THROW":
            if before.site.event == "METHOD_THROW" and before.site is e.site:
                return False
            if before.site.event != "METHOD_EXCEPTIONAL_EXIT" and method(before) != method(e):
                return False
        elif before.site.event == "CATCH":
            return False
        return entered < before.seq


class Flights:
    def __init__(self):
        self.of = {}  # by object: all its flights, and the latest one of each thread

    def event(self, e, entered):
        """an event with a reference, in a frame that was entered at `entered`"""
        kind = e.site.event
        if kind in EVENTS:
            flights, latest = self.of.setdefault(e.value, ([], {}))
            flight = latest.get(e.thread)
            if flight and flight.goes_on(e, entered):
                flight.events.append(e)
                flight.used = flight.used_there = False
                return
            latest[e.thread] = Flight(e)
            flights.append(latest[e.thread])
        elif e.value in self.of and kind != "LOCAL_STORE":
            flights, latest = self.of[e.value]
            flights[-1].used = True
            if e.thread in latest and kind not in READS:
                flight = latest[e.thread]
                flight.used_there |= method(flight.events[-1]) == method(e)

    def ways(self, held):
        """(id, thrown, caught or None, swallowed, exits); `held` are the ids of what other exceptions hold"""
        out = []
        for id, (flights, _) in self.of.items():
            for f in flights:
                last = f.events[-1]
                used = f.used or int(id) in held if len(flights) == 1 else f.used_there
                caught = last.seq if last.site.event == "CATCH" else None
                exits = [e.seq for e in f.events if e.site.event == "METHOD_EXCEPTIONAL_EXIT"]
                out.append((int(id), f.events[0].seq, caught, caught is not None and not used, exits))
        return sorted(out, key=lambda x: x[1])
