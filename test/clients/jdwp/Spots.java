import com.sun.jdi.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.util.*;

// A JDI client over a recording of Places.java: what the fields of an object hold, the interfaces of their classes, and
// breakpoints at code that is not where its line begins. Each line that it prints follows from the program.
// java Spots PORT
class Spots {
    static ThreadReference thread;

    static void stop(VirtualMachine vm, EventRequest r) throws Exception {
        r.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        r.enable();
        vm.resume();
        for (boolean hit = false; !hit;)
            for (Event e : vm.eventQueue().remove(20000))
                hit |= e.request() == r;
    }

    static Value call(Value v, String name) throws Exception {
        ObjectReference o = (ObjectReference) v;
        Method m = null;
        for (Method any : o.referenceType().methodsByName(name))
            if (m == null && any.argumentTypeNames().isEmpty())
                m = any;
        return o.invokeMethod(thread, m, List.of(), 0);
    }

    static String text(Value v) throws Exception {
        return v instanceof StringReference s ? s.value() : ((StringReference) call(v, "toString")).value();
    }

    static String names(List<InterfaceType> types) {
        TreeSet<String> names = new TreeSet<>();
        for (InterfaceType t : types)
            names.add(t.name());
        return String.join(" ", names);
    }

    public static void main(String[] a) throws Exception {
        VirtualMachine vm = Moves.attach(a[0]);
        thread = Moves.thread;
        EventRequestManager requests = vm.eventRequestManager();
        ReferenceType places = vm.classesByName("Places").get(0);

        EventRequest b = requests.createBreakpointRequest(places.methodsByName("put").get(0).location());
        stop(vm, b);
        requests.deleteEventRequest(b);
        ObjectReference self = thread.frame(0).thisObject();
        for (String name : new String[] {"given", "own"}) {
            ObjectReference o = (ObjectReference) self.getValue(places.fieldByName(name));
            ClassType t = (ClassType) o.referenceType();
            System.out.println(name + " " + text(o) + " " + t.name() + ": " + names(t.interfaces()) + "; all "
                               + (t.allInterfaces().size() >= t.interfaces().size()));
        }
        ObjectReference map = (ObjectReference) self.getValue(places.fieldByName("given"));
        ArrayReference entries = (ArrayReference) call(call(map, "entrySet"), "toArray");
        for (Value e : entries.getValues())
            System.out.println("entry " + text(call(e, "getKey")) + " " + text(call(e, "getValue")));
        Value iterator = call(call(map, "keySet"), "iterator");
        call(iterator, "next");
        try {
            call(iterator, "next");
        } catch (InvocationException e) {
            System.out.println("thrown " + e.exception().referenceType().name());
        }
        for (String name : new String[] {"java.util.NavigableMap", "java.lang.Cloneable"})
            System.out.println(name + " " + (vm.classesByName(name).get(0) instanceof InterfaceType));

        StepRequest step = requests.createStepRequest(thread, StepRequest.STEP_LINE, StepRequest.STEP_OVER);
        stop(vm, step);
        requests.deleteEventRequest(step);
        try {
            System.out.println("made before the step: " + entries.getValue(0));
        } catch (ObjectCollectedException e) {
            System.out.println("made before the step: collected");
        }
        // the second place of the line of `return`: behind the finally block
        Method m = places.methodsByName("twice").get(0);
        Location second = null;
        for (Location l : m.allLineLocations())
            if (l.codeIndex() > 0 && l.lineNumber() == m.location().lineNumber() && second == null)
                second = l;
        b = requests.createBreakpointRequest(second);
        for (int i = 0; i < 3; i++) {
            stop(vm, b);
            StackFrame f = thread.frame(0);
            System.out.println("twice " + f.getValue(f.visibleVariableByName("k")) + " left "
                               + places.getValue(places.fieldByName("left")) + " there "
                               + (f.location().codeIndex() == second.codeIndex()));
            b.disable();
        }
        vm.dispose();
    }
}
