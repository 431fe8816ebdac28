import com.sun.jdi.*;
import com.sun.jdi.connect.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.util.*;

// Moves at random through a trace as a JDI client, by steps and by hindsight.Time, and prints what it sees after each
// move: one line a frame, of which compare.py knows from `hindsight locals` what it has to be.
// java Moves PORT EVENTS MOVES SEED
class Moves {
    static VirtualMachine vm;
    static ThreadReference thread;
    static ClassType time;

    // That of the JDK, or of Eclipse's implementation of JDI.
    static VirtualMachineManager manager() throws Exception {
        if (!Boolean.getBoolean("eclipse"))
            return Bootstrap.virtualMachineManager();
        return (VirtualMachineManager) Class.forName("org.eclipse.jdi.Bootstrap").getMethod("virtualMachineManager")
            .invoke(null);
    }

    static long call(String name, Value... arguments) throws Exception {
        Method m = time.methodsByName(name).get(0);
        return ((LongValue) time.invokeMethod(thread, m, List.of(arguments), 0)).value();
    }

    static String text(Value v) {
        if (v == null)
            return "null";
        if (v.type().name().equals("hindsight.NotRecorded"))
            return "?";
        if (v instanceof ObjectReference)
            return "#" + ((ObjectReference) v).uniqueID();
        if (v instanceof CharValue)
            return "" + (int) ((CharValue) v).value();
        if (v instanceof FloatValue)
            return Double.toString(((FloatValue) v).value());
        return v.toString();
    }

    static void show() throws Exception {
        StringBuilder out = new StringBuilder();
        long seq = call("now");
        int depth = 0;
        for (StackFrame f : thread.frames()) {
            Location l = f.location();
            ObjectReference self = f.thisObject();
            out.append(seq + "\t" + thread.name() + "\t" + depth++ + "\t" + l.declaringType().name() + "\t" +
                       l.method().name() + "\t" + l.method().signature() + "\t" + l.lineNumber() + "\t" +
                       l.codeIndex() + "\t" + (self == null ? "-" : "#" + self.uniqueID()));
            List<LocalVariable> visible = new ArrayList<>();
            try {
                visible = f.visibleVariables();
            } catch (AbsentInformationException e) {
                // a method without variables
            }
            Map<LocalVariable, Value> values = f.getValues(visible);
            for (LocalVariable v : visible)
                out.append("\t" + v.name() + "=" + text(values.get(v)));
            out.append("\n");
        }
        System.out.print(out);
    }

    static void step(int depth) throws Exception {
        StepRequest r = vm.eventRequestManager().createStepRequest(thread, StepRequest.STEP_LINE, depth);
        r.addCountFilter(1);
        r.enable();
        vm.resume();
        for (boolean done = false; !done;)
            for (Event e : vm.eventQueue().remove(20000)) {
                if (e instanceof VMDeathEvent || e instanceof VMDisconnectEvent)
                    throw new IllegalStateException("a step ended the session");
                done |= e instanceof StepEvent && e.request() == r;
            }
        vm.eventRequestManager().deleteEventRequest(r);
    }

    static VirtualMachine attach(String port) throws Exception {
        AttachingConnector connector = null;
        for (AttachingConnector c : manager().attachingConnectors())
            if (c.name().equals("com.sun.jdi.SocketAttach"))
                connector = c;
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("hostname").setValue("127.0.0.1");
        arguments.get("port").setValue(port);
        vm = connector.attach(arguments);
        thread = ((VMStartEvent) vm.eventQueue().remove().iterator().next()).thread();
        for (ThreadReference t : vm.allThreads()) // Eclipse's VMStartEvent has no thread
            if (thread == null && t.name().equals("main"))
                thread = t;
        time = (ClassType) vm.classesByName("hindsight.Time").get(0);
        return vm;
    }

    public static void main(String[] a) throws Exception {
        attach(a[0]);
        Random random = new Random(Long.parseLong(a[3]));
        int events = Integer.parseInt(a[1]);
        for (int i = Integer.parseInt(a[2]); i-- > 0; show())
            switch (random.nextInt(9)) {
            case 0: step(StepRequest.STEP_INTO); break;
            case 1: step(StepRequest.STEP_OVER); break;
            case 2: step(StepRequest.STEP_OUT); break;
            case 3: call("back"); break;
            case 4: call("forward"); break;
            default: call("goTo", vm.mirrorOf((long) random.nextInt(events)));
            }
        vm.dispose();
    }
}
