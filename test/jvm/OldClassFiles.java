/**
 * Class files that javac no longer writes: versions 45 to 52, jsr and ret, wide ret and iinc, switches at every
 * alignment, wide locals, ldc_w.
 */
// classes: lib/Assembler.java
// agent: weave=ALL,e=Assembler
// expect: RET Old45.finallys(I)I
// agent: weave=EXEC+CALL+PARAM,e=Assembler
// expect: METHOD_PARAM Old45.finallys(I)I * value 5
// expect: METHOD_NORMAL_EXIT Old45.finallys(I)I * value 6
// agent: weave=LABEL,e=Assembler
// agent: weave=LOCAL,e=Assembler
public class OldClassFiles {
    static Assembler.Bytes b() { return new Assembler.Bytes(); }

    /** jsr to a subroutine that adds one to local 0; ret; used twice when nested. */
    static byte[] jsr(int version) {
        Assembler a = new Assembler(version, "Old" + version);
        // 0 jsr 8; 3 jsr 8?; here: jsr +5 -> 5; then iload_0 ireturn at 3,4
        a.add(9, "finallys", "(I)I", 2, 3, b().u1(0xa8).u2(5).u1(0x1a, 0xac) // jsr 5; iload_0; ireturn
            .u1(0x4c, 0x84, 0, 1, 0xa9, 1).get());                            // astore_1; iinc 0 1; ret 1
        // wide ret with a slot above 255, jsr_w, wide iinc, wide iload
        a.add(9, "wide", "(I)I", 2, 400, b().u1(0x1a, 0xc4, 0x36).u2(300)      // iload_0; wide istore 300
            .u1(0xc9).u4(10)                                                    // 5: jsr_w +10 -> 15
            .u1(0xc4, 0x15).u2(300).u1(0xac)                                    // 10: wide iload 300; ireturn
            .u1(0xc4, 0x3a).u2(301)                                             // 15: wide astore 301
            .u1(0xc4, 0x84).u2(300).u2(0x7fff)                                  // wide iinc 300 32767
            .u1(0xc4, 0x84).u2(300).u2(-1000 & 0xffff)                          // wide iinc 300 -1000
            .u1(0xc4, 0xa9).u2(301).get());                                     // wide ret 301
        // exception handler around a jsr: try { 1 / x } finally (by jsr)
        a.add(9, "guarded", "(I)I", 2, 4, b()
            .u1(0x04, 0x1a, 0x6c, 0x3c)          // 0 iconst_1; iload_0; idiv; istore_1
            .u1(0xa8).u2(13)                      // 4 jsr 17
            .u1(0x1b, 0xac)                      // 7 iload_1; ireturn
            .u1(0x4d)                             // 9 astore_2 (any)
            .u1(0xa8).u2(7)                       // 10 jsr 17
            .u1(0x05, 0xac, 0, 0)                 // 13 iconst_2; ireturn; nop; nop
            .u1(0x4e)                             // 17 astore_3
            .u1(0x84, 0, 7)                       // iinc 0 7
            .u1(0xa9, 3).get(), 0, 4, 9, 0);      // ret 3
        return a.finish();
    }

    /** tableswitch and lookupswitch with 0 to 3 nops before them. */
    static byte[] switches(int version) {
        Assembler a = new Assembler(version, "Switches");
        for (int n = 0; n < 4; n++) {
            for (boolean table : new boolean[] {true, false}) {
                Assembler.Bytes c = b();
                for (int i = 0; i < n; i++) c.u1(0);
                c.u1(0x1a);
                int at = c.at(), pad = 3 - at % 4;
                c.u1(table ? 0xaa : 0xab);
                for (int i = 0; i < pad; i++) c.u1(0);
                int size = 1 + pad + (table ? 12 + 12 : 8 + 24), first = size;
                c.u4(first + 9 - 0); // default
                if (table) c.u4(-1 & 0xffffffffL).u4(1).u4(first).u4(first + 3).u4(first + 6);
                else c.u4(3).u4(-100000 & 0xffffffffL).u4(first).u4(0).u4(first + 3).u4(100000).u4(first + 6);
                c.u1(0x10, 11, 0xac, 0x10, 22, 0xac, 0x10, 33, 0xac, 0x10, 44, 0xac);
                a.add(9, (table ? "table" : "lookup") + n, "(I)I", 1, 1, c.get());
            }
        }
        return a.finish();
    }

    static void call(Class<?> c, String m, int... xs) throws Exception {
        StringBuilder s = new StringBuilder(c.getName() + "." + m);
        for (int x : xs) s.append(' ').append(c.getMethod(m, int.class).invoke(null, x));
        System.out.println(s);
    }

    public static void main(String[] args) throws Exception {
        for (int v = 45; v <= 49; v++) {
            Class<?> c = Assembler.load("Old" + v, jsr(v));
            call(c, "finallys", 5, -1);
            call(c, "wide", 1);
            call(c, "guarded", 1, 0);
        }
        for (int v : new int[] {46, 49}) {
            Class<?> c = Assembler.load("Switches", switches(v));
            for (int n = 0; n < 4; n++) {
                call(c, "table" + n, -1, 0, 1, 2, -5);
                call(c, "lookup" + n, -100000, 0, 100000, 7);
            }
        }
    }
}
