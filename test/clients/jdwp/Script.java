import com.sun.jdi.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.util.*;

// What a debugger does, as a JDI client, over a recording of Shop.java: breakpoints, a watchpoint, steps, a popped
// frame, and back. Each line that it prints has an answer that follows from the program (session.sh).
// java Script PORT
class Script {
    static VirtualMachine vm;
    static ThreadReference thread;

    static Event resume(EventRequest r) throws Exception {
        if (!r.isEnabled()) {
            r.setSuspendPolicy(EventRequest.SUSPEND_ALL);
            r.enable();
        }
        vm.resume();
        for (;;)
            for (Event e : vm.eventQueue().remove(20000))
                if (e.request() == r)
                    return e;
    }

    static String where() throws Exception {
        StringBuilder out = new StringBuilder();
        for (StackFrame f : thread.frames().subList(0, Math.min(2, thread.frameCount())))
            out.append(" " + f.location().method().name() + ":" + f.location().lineNumber());
        return out.toString();
    }

    static Value local(String name) throws Exception {
        StackFrame f = thread.frame(0);
        return f.getValue(f.visibleVariableByName(name));
    }

    static void step(int depth) throws Exception {
        StepRequest r = vm.eventRequestManager().createStepRequest(thread, StepRequest.STEP_LINE, depth);
        r.addCountFilter(1);
        resume(r);
        vm.eventRequestManager().deleteEventRequest(r);
    }

    public static void main(String[] a) throws Exception {
        vm = Moves.attach(a[0]);
        thread = Moves.thread;
        EventRequestManager requests = vm.eventRequestManager();
        ReferenceType shop = vm.classesByName("Shop").get(0), item = vm.classesByName("Shop$Item").get(0);

        BreakpointRequest b = requests.createBreakpointRequest(shop.methodsByName("sell").get(0).location());
        resume(b);
        System.out.println("sell" + where() + " count " + local("count"));
        resume(b);
        System.out.println("again" + where() + " count " + local("count"));
        requests.deleteEventRequest(b);

        ObjectReference tea = (ObjectReference) local("item");
        System.out.println("price " + tea.getValue(item.fieldByName("price")) + " name " +
                           ((StringReference) tea.getValue(item.fieldByName("name"))).value());
        step(StepRequest.STEP_INTO);
        System.out.println("into" + where());
        step(StepRequest.STEP_OUT);
        System.out.println("out" + where());

        ModificationWatchpointRequest w = requests.createModificationWatchpointRequest(shop.fieldByName("sold"));
        ModificationWatchpointEvent e = (ModificationWatchpointEvent) resume(w);
        System.out.println("sold is " + shop.getValue(e.field()) + " will be " + e.valueToBe() + where());
        requests.deleteEventRequest(w);

        BreakpointRequest d = requests.createBreakpointRequest(shop.methodsByName("depth").get(0).location());
        d.addCountFilter(51);
        resume(d);
        System.out.println("depth" + where() + " n " + local("n") + " frames " + thread.frameCount());
        requests.deleteEventRequest(d);

        thread.popFrames(thread.frame(0));
        System.out.println("popped" + where() + " n " + local("n"));
        Moves.call("back"); // to the beginning of the line
        Moves.call("back");
        System.out.println("back" + where() + " n " + local("n"));
        vm.dispose();
    }
}
