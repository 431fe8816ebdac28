import com.sun.jdi.*;
import com.sun.jdi.connect.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.io.*;
import java.util.*;

/**
 * Living PLACES OPTIONS MAIN-AND-ARGUMENTS: a debugger (JDI) of a living program that is recorded while it runs. At
 * each of the places (places.py) it prints what variables, fields, elements and methods without arguments give: the
 * number of the place, an expression for hindsight eval, the kind and the value. Before and after that it calls
 * Moment.at(place) in the program, for the recording to have that moment.
 */
public class Living {
    static final int FIELDS = 8, CALLS = 6, GETTER_BYTES = 8;
    static VirtualMachine vm;
    static ThreadReference thread;
    static String place;
    static PrintStream out;

    static String escaped(String s) {
        StringBuilder b = new StringBuilder();
        for (char c : s.toCharArray())
            b.append(c < 32 || c > 126 || c == '\\' ? String.format("\\u%04x", (int) c) : "" + c);
        return b.toString();
    }

    static void show(String expression, Value v) {
        String kind = "O", value;
        if (v == null) { kind = "N"; value = "null"; }
        else if (v instanceof BooleanValue) { kind = "Z"; value = v.toString(); }
        else if (v instanceof CharValue) { kind = "I"; value = "" + (int) ((CharValue) v).value(); }
        else if (v instanceof FloatValue || v instanceof DoubleValue) {
            kind = "D";
            value = Long.toHexString(Double.doubleToLongBits(((PrimitiveValue) v).doubleValue()));
        } else if (v instanceof PrimitiveValue) { kind = "I"; value = v.toString(); }
        else if (v instanceof StringReference) { kind = "S"; value = escaped(((StringReference) v).value()); }
        else value = v.type().name();
        out.println(place + "\t" + expression + "\t" + kind + "\t" + value);
    }

    static boolean ofProgram(ReferenceType t) {
        String n = t.name();
        return !n.startsWith("java.") && !n.startsWith("javax.") && !n.startsWith("jdk.") && !n.startsWith("sun.") &&
            !n.contains("/");
    }

    static Value call(ObjectReference o, Method m) throws Exception {
        return o.invokeMethod(thread, m, List.of(), ObjectReference.INVOKE_SINGLE_THREADED);
    }

    /** Methods that change nothing, of those that the class of the object has itself or inherits: short getters. Not
     * hashCode, which may differ from run to run. */
    static void calls(String name, ObjectReference o, boolean own) throws Exception {
        Set<String> asked = new HashSet<>();
        for (Method m : ((ClassType) o.referenceType()).allMethods()) {
            boolean tells = m.name().matches("(get|is|has)[A-Z].*|size|length|isEmpty|toString");
            if (!tells || m.argumentTypeNames().size() > 0 || m.isStatic() || m.isAbstract() || m.isNative() ||
                m.isBridge() || m.returnTypeName().equals("void") || !asked.add(m.name()) || asked.size() > CALLS ||
                (m.name().matches("(get|is|has).*") && m.bytecodes().length > GETTER_BYTES) ||
                (own && !ofProgram(m.declaringType())) || (m.isPrivate() && m.declaringType() != o.referenceType()) ||
                (!own && !m.name().matches("size|isEmpty|length")))
                continue;
            try {
                show(name + "." + m.name() + "()", call(o, m));
            } catch (InvocationException e) {
                out.println(place + "\t" + name + "." + m.name() + "()\tX\t" + e.exception().type().name());
            }
        }
    }

    static void members(String name, Value v) throws Exception {
        if (v instanceof ArrayReference) {
            ArrayReference a = (ArrayReference) v;
            show(name + ".length", vm.mirrorOf(a.length()));
            if (a.length() > 0) show(name + "[0]", a.getValue(0));
            return;
        }
        if (!(v instanceof ObjectReference) || !(v.type() instanceof ClassType) || v instanceof ClassObjectReference)
            return;
        ObjectReference o = (ObjectReference) v;
        boolean own = ofProgram(o.referenceType());
        String as = "((" + o.referenceType().name() + ") " + name + ")";
        int shown = 0;
        if (own)
            for (Field f : o.referenceType().visibleFields())
                if (!f.isSynthetic() && !f.isStatic() && ofProgram(f.declaringType()) && shown++ < FIELDS) {
                    Value held = o.getValue(f);
                    show(as + "." + f.name(), held);
                    if (held instanceof ArrayReference) members(as + "." + f.name(), held);
                    else if (held instanceof StringReference) calls(as + "." + f.name(), (ObjectReference) held, false);
                }
        calls(as, o, own);
    }

    static void ask() throws Exception {
        StackFrame f = thread.frame(0);
        Map<String, Value> values = new LinkedHashMap<>();
        if (f.thisObject() != null) values.put("this", f.thisObject());
        try {
            for (LocalVariable v : f.visibleVariables()) values.put(v.name(), f.getValue(v));
        } catch (AbsentInformationException e) {
            // compiled without them
        }
        for (Map.Entry<String, Value> e : values.entrySet()) show(e.getKey(), e.getValue());
        for (Map.Entry<String, Value> e : values.entrySet()) members(e.getKey(), e.getValue());
    }

    static ClassType moment;

    static Value invoke(String type, String method, String desc, Value... args) throws Exception {
        ClassType t = (ClassType) vm.classesByName(type).get(0);
        return t.invokeMethod(thread, t.methodsByName(method, desc).get(0), List.of(args), 0);
    }

    /** The class Moment is that of the class path, whichever class the thread is in. */
    static void mark() throws Exception {
        if (moment == null) {
            Value loader = invoke("java.lang.ClassLoader", "getSystemClassLoader", "()Ljava/lang/ClassLoader;");
            Value found = invoke("java.lang.Class", "forName",
                "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;", vm.mirrorOf("Moment"),
                vm.mirrorOf(true), loader);
            moment = (ClassType) ((ClassObjectReference) found).reflectedType();
        }
        Value n = vm.mirrorOf(Integer.parseInt(place));
        moment.invokeMethod(thread, moment.methodsByName("at").get(0), List.of(n), 0);
    }

    static EventSet stopped;

    static Event next(EventRequest wanted) throws Exception {
        for (;;) {
            stopped.resume();
            stopped = vm.eventQueue().remove(120000);
            if (stopped == null) throw new IllegalStateException("nothing happens");
            for (Event e : stopped) {
                if (e instanceof VMDisconnectEvent || e instanceof VMDeathEvent) return null;
                if (e.request() == wanted) return e;
            }
        }
    }

    static ReferenceType loaded(String name) throws Exception {
        List<ReferenceType> all = vm.classesByName(name);
        if (!all.isEmpty()) return all.get(0);
        ClassPrepareRequest r = vm.eventRequestManager().createClassPrepareRequest();
        r.addClassFilter(name);
        r.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        r.enable();
        ClassPrepareEvent e = (ClassPrepareEvent) next(r);
        r.disable();
        return e != null ? e.referenceType() : null;
    }

    static boolean stopAt(String[] p) throws Exception {
        ReferenceType t = loaded(p[1]);
        if (t == null) return false;
        List<Location> all = t.methodsByName(p[2], p[3]).get(0).locationsOfLine(Integer.parseInt(p[4]));
        if (all.isEmpty()) return false;
        Location at = all.get(0);
        BreakpointRequest r = vm.eventRequestManager().createBreakpointRequest(at);
        r.addThreadFilter(thread);
        r.addCountFilter(Integer.parseInt(p[5]));
        r.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        r.enable();
        boolean there = next(r) != null;
        if (there) vm.eventRequestManager().deleteEventRequest(r);
        return there;
    }

    public static void main(String[] args) throws Exception {
        out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
        LaunchingConnector c = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> given = c.defaultArguments();
        given.get("options").setValue(args[1]);
        given.get("main").setValue(args[2]);
        vm = c.launch(given);
        for (InputStream in : List.of(vm.process().getInputStream(), vm.process().getErrorStream())) {
            Thread t = new Thread(() -> {
                try { in.transferTo(OutputStream.nullOutputStream()); } catch (IOException e) { }
            });
            t.setDaemon(true);
            t.start();
        }
        stopped = vm.eventQueue().remove();
        thread = ((VMStartEvent) stopped.iterator().next()).thread();
        BufferedReader places = new BufferedReader(new FileReader(args[0]));
        for (String line; (line = places.readLine()) != null;) {
            String[] p = line.split("\t");
            place = p[0];
            if (!stopAt(p)) {
                out.println(place + "\t\t-\tnever reached");
                break;
            }
            mark();
            ask();
            mark();
        }
        out.flush();
        try { vm.dispose(); } catch (VMDisconnectedException e) { } // it has ended
        vm.process().waitFor();
    }
}
