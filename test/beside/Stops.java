import com.sun.jdi.*;
import com.sun.jdi.connect.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.io.*;
import java.util.*;

/**
 * Stops OUT JVM-OPTION...: a debugger (JDI) of debugger.sh. It starts Debugged with the options and prints everything
 * it sees: lines and stacks at breakpoints and after steps, parameters and local variables, a variable that it changes,
 * watchpoints, an exception, a popped frame, a forced return, a redefined class, a method that it
 * calls. What the program itself prints goes to the file OUT.
 */
public class Stops {
    static VirtualMachine vm;
    static ThreadReference thread;
    static EventRequestManager requests;

    private static EventSet stopped; // by which the program stands

    /** The next event of a request, whatever else comes meanwhile. */
    static Event resume(EventRequest r) throws Exception {
        r.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        r.enable();
        for (;;) {
            stopped.resume();
            stopped = vm.eventQueue().remove(60000);
            if (stopped == null) throw new IllegalStateException("nothing happens");
            for (Event e : stopped)
                if (e.request() == r) {
                    if (e instanceof LocatableEvent) thread = ((LocatableEvent) e).thread();
                    r.disable();
                    return e;
                } else if (e instanceof VMDisconnectEvent) throw new IllegalStateException("the program has ended");
        }
    }

    static String show(Value v) {
        if (v instanceof ArrayReference) return ((ArrayReference) v).getValues().toString();
        return v instanceof ObjectReference && !(v instanceof StringReference) ? v.type().name() : String.valueOf(v);
    }

    static void say(String what) throws Exception {
        StringBuilder out = new StringBuilder(what);
        for (StackFrame f : thread.frames())
            out.append(' ').append(f.location().method().name()).append(':').append(f.location().lineNumber());
        StackFrame top = thread.frame(0);
        TreeMap<String, String> shown = new TreeMap<>();
        for (LocalVariable v : top.visibleVariables()) shown.put(v.name(), show(top.getValue(v)));
        System.out.println(out + " " + shown + " this " + show(top.thisObject()));
    }

    static void step(int depth, int times, String what) throws Exception {
        for (int i = 0; i < times; i++) {
            StepRequest r = requests.createStepRequest(thread, StepRequest.STEP_LINE, depth);
            for (String name : new String[] { "java.*", "javax.*", "jdk.*", "sun.*" }) r.addClassExclusionFilter(name);
            r.addCountFilter(1);
            resume(r);
            requests.deleteEventRequest(r);
            say(what);
        }
    }

    static Location line(ClassType c, String method, int of) throws Exception {
        List<Location> all = c.methodsByName(method).get(0).allLineLocations();
        return all.get(of);
    }

    static BreakpointRequest at(Location l) { return requests.createBreakpointRequest(l); }

    static void copy(InputStream from, OutputStream to) {
        Thread t = new Thread(() -> {
            try (from; to) {
                from.transferTo(to);
            } catch (IOException e) {
                e.printStackTrace();
            }
        });
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        LaunchingConnector c = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> with = c.defaultArguments();
        with.get("main").setValue("Debugged");
        with.get("options").setValue(String.join(" ", Arrays.asList(args).subList(1, args.length)));
        vm = c.launch(with);
        OutputStream out = new FileOutputStream(args[0]);
        copy(vm.process().getInputStream(), out);
        copy(vm.process().getErrorStream(), System.err);
        requests = vm.eventRequestManager();
        stopped = vm.eventQueue().remove(60000); // the start of the JVM
        ClassPrepareRequest prepared = requests.createClassPrepareRequest();
        prepared.addClassFilter("Debugged");
        ClassType type = (ClassType) ((ClassPrepareEvent) resume(prepared)).referenceType();
        for (Method m : type.methods()) {
            StringBuilder lines = new StringBuilder();
            for (Location l : m.allLineLocations()) lines.append(' ').append(l.lineNumber());
            System.out.println(m.name() + m.signature() + lines + " " + m.isNative());
        }
        // stops and steps
        resume(at(line(type, "sum", 0)));
        say("sum");
        step(StepRequest.STEP_OVER, 9, "over");
        step(StepRequest.STEP_INTO, 6, "into");
        step(StepRequest.STEP_OUT, 1, "out");
        // a variable is changed, a frame popped and entered again
        resume(at(line(type, "scale", 0)));
        say("scale");
        StackFrame top = thread.frame(0);
        top.setValue(top.visibleVariableByName("by"), vm.mirrorOf(7));
        step(StepRequest.STEP_OVER, 1, "changed");
        thread.popFrames(thread.frame(0));
        say("popped");
        step(StepRequest.STEP_INTO, 2, "again");
        thread.forceEarlyReturn(vm.mirrorOf(-5));
        step(StepRequest.STEP_OVER, 1, "returned");
        // watchpoints, exceptions
        Field total = type.fieldByName("total");
        ModificationWatchpointEvent m =
            (ModificationWatchpointEvent) resume(requests.createModificationWatchpointRequest(total));
        say("writes " + m.valueCurrent() + " " + m.valueToBe());
        AccessWatchpointEvent a = (AccessWatchpointEvent) resume(requests.createAccessWatchpointRequest(total));
        say("reads " + a.valueCurrent());
        ReferenceType wrong = vm.classesByName("java.lang.IllegalStateException").get(0);
        ExceptionEvent e = (ExceptionEvent) resume(requests.createExceptionRequest(wrong, true, true));
        say("throws " + e.exception().type().name() + " caught at " + e.catchLocation().lineNumber());
        step(StepRequest.STEP_OVER, 3, "caught");
        // entries and exits
        MethodEntryRequest entry = requests.createMethodEntryRequest();
        entry.addClassFilter("Debugged");
        System.out.println("enters " + ((MethodEntryEvent) resume(entry)).method().name());
        MethodExitRequest exit = requests.createMethodExitRequest();
        exit.addClassFilter("Debugged");
        MethodExitEvent left = (MethodExitEvent) resume(exit);
        System.out.println("leaves " + left.method().name() + " " + show(left.returnValue()));
        // a method is called, the class redefined with what it is
        Value called = type.invokeMethod(thread, type.methodsByName("scale").get(0),
            List.of(vm.mirrorOf(6), vm.mirrorOf(9)), ClassType.INVOKE_SINGLE_THREADED);
        System.out.println("calls scale " + called);
        try (InputStream in = Stops.class.getResourceAsStream("/Debugged.class")) {
            vm.redefineClasses(Map.of(type, in.readAllBytes()));
        }
        resume(at(line(type, "last", 0)));
        say("redefined");
        step(StepRequest.STEP_OVER, 2, "over");
        vm.eventRequestManager().deleteAllBreakpoints();
        Process p = vm.process();
        vm.dispose();
        System.out.println("ends with " + p.waitFor());
        out.flush();
    }
}
