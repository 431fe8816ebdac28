import java.lang.reflect.Method;

/** Methods near the 64 KB limit and constant pools near theirs: they run as they did; what was given up is told. */
// classes: lib/Assembler.java
// print: --method run
// agent: weave=ALL,e=Assembler
// info: "not_woven"*"Big
// agent: weave=EXEC,e=Assembler
// expect: METHOD_NORMAL_EXIT Big65000.run(
// agent: weave=EXEC+CALL+PARAM,e=Assembler
// agent: format=freq,weave=EXEC,e=Assembler
// info: "groups":{"EXEC":{"events":98,
public class BigMethods {
    /**
     * iinc 0 1 repeated up to about `size` bytes, then return local 0; straight code, valid without frames in any
     * version.
     */
    static byte[] big(int size) {
        Assembler a = new Assembler(52, "Big" + size);
        Assembler.Bytes c = new Assembler.Bytes();
        while (c.at() + 3 + 2 <= size) c.u1(0x84, 0, 1);
        while (c.at() + 2 < size) c.u1(0);
        a.add(9, "run", "(I)I", 1, 1, c.u1(0x1a, 0xac).get());
        a.add(9, "small", "(I)I", 1, 1, new Assembler.Bytes().u1(0x1a, 0xac).get());
        return a.finish();
    }
    /** A loop of about `size` bytes that reads an array all the time, in a handler. */
    static byte[] reads(int size) {
        Assembler a = new Assembler(49, "Reads" + size); // without frames
        Assembler.Bytes c = new Assembler.Bytes().u1(0x04, 0xbc, 10, 0x4c); // int[] 1 = new int[1]
        int loop = c.at();
        while (c.at() + 25 < size) c.u1(0x2b, 0x03, 0x2e, 0x57); // aload_1, iconst_0, iaload, pop
        c.u1(0x84, 0, 255, 0x1a, 0x9e).u2(8).u1(0xc8).u4(loop - c.at() + 1); // iinc 0 -1, iload_0, ifle, goto_w
        int end = c.at();
        a.add(9, "run", "(I)I", 2, 2, c.u1(0x1a, 0xac, 0x57, 0x1a, 0xac).get(), loop, end, end + 2, 0);
        return a.finish();
    }
    /** A constant pool filled to `count` entries. */
    static byte[] pool(int count) {
        Assembler a = new Assembler(52, "Pool" + count);
        a.add(9, "run", "(I)I", 1, 1, new Assembler.Bytes().u1(0x1a, 0xac).get());
        a.type("java/lang/Object");
        for (int i = 0; a.count() < count; i++) a.integer(1000000 + i);
        return a.finish();
    }
    static void run(String name, byte[] bytes) throws Exception {
        Class<?> c = Assembler.load(name, bytes);
        Method m = c.getMethod("run", int.class);
        System.out.println(name + " " + m.invoke(null, 1));
    }
    public static void main(String[] args) throws Exception {
        for (int size : new int[] {8000, 8001, 32760, 32768, 40000, 60000, 65000, 65500, 65530, 65535})
            run("Big" + size, big(size));
        run("Reads40000", reads(40000));
        for (int n : new int[] {60000, 65000, 65500, 65520, 65530, 65533, 65534}) run("Pool" + n, pool(n));
    }
}
