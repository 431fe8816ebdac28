/**
 * Methods that end with a monitor still held, or exit one that they did not enter: the JVM throws
 * IllegalMonitorStateException, in place of what left the method (JVMS 2.11.10). javac writes no such code.
 */
// classes: lib/Assembler.java
// args: returns
// agent: weave=ALL,e=Assembler
// expect: METHOD_NORMAL_EXIT Held49.returns(*
// next: METHOD_EXCEPTIONAL_EXIT Held49.returns(* value #*:java.lang.IllegalMonitorStateException
// expect: METHOD_THROW Held49.throwing(* value #*:java.lang.UnsupportedOperationException
// next: METHOD_EXCEPTIONAL_EXIT Held49.throwing(* value #*:java.lang.UnsupportedOperationException
// expect: CATCH Held49.catching_throwing(* value #*:java.lang.IllegalMonitorStateException
// agent: weave=EXEC+CALL+PARAM,e=Assembler
// agent: weave=EXEC,e=Assembler
// agent: weave=SYNC,e=Assembler
// agent: weave=EXEC+SYNC,e=Assembler
// agent: weave=EXEC+LABEL,e=Assembler
public class Unbalanced {
    static Assembler.Bytes b() { return new Assembler.Bytes(); }

    static byte[] monitors(int version) {
        Assembler a = new Assembler(version, "Held" + version);
        // monitorenter without exit, then return; athrow; an exception of the JVM
        a.add(9, "returns", "(Ljava/lang/Object;)V", 1, 1, b().u1(0x2a, 0xc2, 0xb1).get());
        a.add(9, "gives", "(Ljava/lang/Object;)I", 1, 1, b().u1(0x2a, 0xc2, 0x04, 0xac).get());
        int fails = a.type("java/lang/UnsupportedOperationException"),
            init = a.method("java/lang/UnsupportedOperationException", "<init>", "()V");
        a.add(9, "throwing", "(Ljava/lang/Object;)V", 2, 1, b().u1(0x2a, 0xc2, 0xbb).u2(fails).u1(0x59, 0xb7).u2(init)
            .u1(0xbf).get());
        a.add(9, "dividing", "(Ljava/lang/Object;)I", 2, 1, b().u1(0x2a, 0xc2, 0x04, 0x03, 0x6c, 0xac).get());
        a.add(9, "fails", "()V", 2, 0, b().u1(0xbb).u2(fails).u1(0x59, 0xb7).u2(init).u1(0xbf).get());
        a.add(9, "calling", "(Ljava/lang/Object;)V", 1, 1, b().u1(0x2a, 0xc2, 0xb8)
            .u2(a.method("Held" + version, "fails", "()V")).u1(0xb1).get());
        // monitorexit without enter
        a.add(9, "exits", "(Ljava/lang/Object;)V", 1, 1, b().u1(0x2a, 0xc3, 0xb1).get());
        // one exit too many of a synchronized method's monitor; it is left with none to unlock
        a.add(0x29, "released", "(Ljava/lang/Object;)V", 1, 1, b().u1(0x2a, 0xc3, 0xb1).get());
        // a handler over all of it: return inside of it
        a.add(9, "guarded", "(Ljava/lang/Object;)I", 1, 1,
            b().u1(0x2a, 0xc2, 0x04, 0xac, 0x57, 0x05, 0xac).get(), 0, 4, 4, 0);
        a.add(9, "guardedThrow", "(Ljava/lang/Object;)I", 2, 1,
            b().u1(0x2a, 0xc2, 0xbb).u2(fails).u1(0x59, 0xb7).u2(init).u1(0xbf, 0x57, 0x05, 0xac).get(), 0, 10, 10, 0);
        // calls what ends so, and catches
        for (String callee : new String[] {"throwing", "returns", "exits", "calling", "released"})
            a.add(9, "catching_" + callee, "(Ljava/lang/Object;)I", 1, 1, b().u1(0x2a, 0xb8)
                .u2(a.method("Held" + version, callee, "(Ljava/lang/Object;)V")).u1(0x03, 0xac, 0x57, 0x04, 0xac).get(),
                0, 4, 6, 0);
        return a.finish();
    }

    static void run(Class<?> c, String name, Object lock) throws Exception {
        Object result;
        try {
            result = c.getMethod(name, Object.class).invoke(null, lock);
        } catch (java.lang.reflect.InvocationTargetException e) { result = e.getCause().getClass().getName(); }
        System.out.println(c.getName() + "." + name + " " + result + " " + Thread.holdsLock(lock));
    }

    public static void main(String[] args) throws Exception {
        Class<?> c = Assembler.load("Held49", monitors(49));
        String[] returns = {"returns", "gives", "guarded", "guardedThrow", "catching_returns"},
            others = {"throwing", "dividing", "calling", "exits", "catching_throwing", "catching_exits",
                "catching_calling"};
        if (args.length > 0) { // what derive=on loses (docs/limits.md)
            for (String name : returns)
                for (int i = 0; i < 2; i++) run(c, name, new Object());
            for (String name : new String[] {"released", "catching_released"}) run(c, name, c);
        }
        for (String name : others)
            for (int i = 0; i < 2; i++) run(c, name, new Object());
    }
}
