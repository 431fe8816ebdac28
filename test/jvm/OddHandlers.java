/**
 * Handlers that javac does not write: of code that is never reached; entered by a branch alone; of the instruction that
 * branches to them; around super(...), which the verifier of old class files accepts.
 */
// classes: lib/Assembler.java
// agent: weave=ALL,e=Assembler
// expect: METHOD_NORMAL_EXIT Odd.dead(* value 3
// expect: LOCAL_STORE Odd.entered(* value #*:java.lang.Object
// expect: METHOD_NORMAL_EXIT Odd.branches(*
// expect: METHOD_EXCEPTIONAL_EXIT OddHandlers$Fails.<init>(* value #*:java.lang.ArithmeticException
// next: CATCH_LABEL OddSub.<init>(*
// agent: weave=ALL,derive=off,e=Assembler
// agent: weave=EXEC+CALL+PARAM,e=Assembler
// agent: weave=EXEC+LABEL,e=Assembler
// agent: weave=EXEC,e=Assembler
public class OddHandlers {
    static Assembler.Bytes b() { return new Assembler.Bytes(); }

    public static class Fails {
        int k;

        public Fails(int k) { this.k = 1 / k; }
    }

    static byte[] odd() {
        Assembler a = new Assembler(49, "Odd");
        a.add(9, "dead", "(I)I", 1, 1, b().u1(0x1a, 0xac, 0, 0, 1, 0xbf, 0x57, 1, 0xc0).u2(a.type("[I"))
            .u1(0xbe, 0xac).get(), 2, 6, 6, 0);
        a.add(9, "entered", "()Ljava/lang/Object;", 2, 1, b().u1(1, 0xc0).u2(a.type("java/lang/Throwable"))
            .u1(0xa7, 0, 3, 0x57, 0xbb).u2(a.type("java/lang/Object")).u1(0x59, 0xb7)
            .u2(a.method("java/lang/Object", "<init>", "()V")).u1(0x4b, 8, 0xbc, 10, 0x57, 0x2a, 0xb0).get(),
            16, 20, 7, 0);
        int type = a.type("java/lang/IllegalStateException");
        a.add(9, "branches", "()V", 2, 0, b().u1(0xbb).u2(type).u1(0x59, 0xb7)
            .u2(a.method("java/lang/IllegalStateException", "<init>", "()V")).u1(0x13).u2(a.integer(77777))
            .u1(0x57, 0xa7, 0, 3, 0x57, 0xb1).get(), 0, 14, 14, a.type("java/lang/RuntimeException"));
        return a.finish();
    }

    /** Throws again what comes out of super(...). */
    static byte[] sub() {
        Assembler a = new Assembler(49, "OddSub");
        a.parent = "OddHandlers$Fails";
        a.add(1, "<init>", "(I)V", 2, 2, b().u1(0x2a, 0x1b, 0xb7).u2(a.method("OddHandlers$Fails", "<init>", "(I)V"))
            .u1(0xb1, 0xbf).get(), 2, 6, 6, 0);
        return a.finish();
    }

    public static void main(String[] args) throws Exception {
        Class<?> odd = Assembler.load("Odd", odd()), sub = Assembler.load("OddSub", sub());
        System.out.println(odd.getMethod("dead", int.class).invoke(null, 3));
        System.out.println(odd.getMethod("entered").invoke(null).getClass());
        odd.getMethod("branches").invoke(null);
        for (int k = -1; k < 3; k++)
            try {
                sub.getConstructor(int.class).newInstance(k % 2);
                System.out.println("made");
            } catch (java.lang.reflect.InvocationTargetException e) {
                System.out.println(e.getCause());
            }
    }
}
