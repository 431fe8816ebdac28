"""Reads traces recorded by Hindsight.

    import hindsight
    with hindsight.open("hindsight-20261120-2031-4711") as trace:
        for event in trace.events(class_glob="com.acme.*"):
            print(event.seq, event.name, event.value)

Everything is a copy: nothing of an answer dies when the next question is asked. A Trace belongs to one thread at a
time; several traces are independent. What fails raises hindsight.Error, whose `code` is a hindsight.Status. """
from ._library import Error, Group, Kind, Status, library_path, version
from ._rows import NO_SEQ, Event
from ._trace import Trace

__all__ = ["Error", "Event", "Group", "Kind", "NO_SEQ", "Status", "Trace", "library_path", "open", "version"]


def open(path, readonly=False, index=True):  # noqa: A001, the name users expect
    """Opens the trace in a directory. `readonly`: nothing in it is changed. `index`: questions may build the index."""
    return Trace(path, readonly, index)
