import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;

/**
 * Ints that do not fit: putfield, putstatic, bastore, castore, sastore and ireturn narrow them (JVMS 6.5), a call does
 * not; and what Unsafe leaves in a boolean. javac writes no such code.
 */
// classes: lib/Assembler.java
// agent: weave=ALL,e=Assembler
// expect: PUT_INSTANCE_FIELD_VALUE Narrow.fieldB(* value 300 *
// expect: GET_INSTANCE_FIELD_RESULT Narrow.fieldB(* value 44 *
// expect: METHOD_NORMAL_EXIT Narrow.giveB(* value 300 *
// next: CALL_RETURN Narrow.resultB(* value 44 *
// expect: METHOD_PARAM Narrow.takeB(* value 300 *
// expect: CALL_RETURN Narrow.passB(* value 300 *
// agent: weave=ALL,e=Assembler,derive=on
// agent: weave=EXEC+CALL+PARAM,e=Assembler
// agent: weave=FIELD+ARRAY,e=Assembler
// agent: weave=EXEC+FIELD+ARRAY+LABEL,e=Assembler
// agent: weave=ALL,e=Assembler | -Xint
public class Narrowed {
    static final int[] VALUES = {300, -1, 2, 3, 128, 40000, 65536, -40000, 1 << 30, 1};
    static boolean kept;
    boolean flag, other;

    static Assembler.Bytes b() { return new Assembler.Bytes(); }

    static byte[] narrow() {
        Assembler a = new Assembler(49, "Narrow");
        a.add(1, "<init>", "()V", 1, 1, b().u1(0x2a, 0xb7).u2(a.method("java/lang/Object", "<init>", "()V"))
            .u1(0xb1).get());
        for (String k : new String[] {"B", "S", "C", "Z"}) {
            int store = k.equals("S") ? 0x56 : k.equals("C") ? 0x55 : 0x54, load = store - 0x21;
            a.addField(9, "s" + k, k);
            a.addField(1, "f" + k, k);
            int s = a.field("Narrow", "s" + k, k), f = a.field("Narrow", "f" + k, k);
            a.add(9, "field" + k, "(LNarrow;I)I", 2, 2, b().u1(0x2a, 0x1b, 0xb5).u2(f).u1(0x2a, 0xb4).u2(f).u1(0xac)
                .get()); // x.f = i; return x.f
            a.add(9, "static" + k, "(I)I", 1, 1, b().u1(0x1a, 0xb3).u2(s).u1(0xb2).u2(s).u1(0xac).get());
            a.add(9, "array" + k, "([" + k + "I)I", 3, 2, b().u1(0x2a, 0x03, 0x1b, store, 0x2a, 0x03, load, 0xac)
                .get()); // x[0] = i; return x[0]
            a.add(9, "give" + k, "(I)" + k, 1, 1, b().u1(0x1a, 0xac).get());
            a.add(9, "result" + k, "(I)I", 1, 1, b().u1(0x1a, 0xb8).u2(a.method("Narrow", "give" + k, "(I)" + k))
                .u1(0xac).get()); // return give(i)
            a.add(9, "take" + k, "(" + k + ")I", 1, 1, b().u1(0x1a, 0xac).get());
            a.add(9, "pass" + k, "(I)I", 1, 1, b().u1(0x1a, 0xb8).u2(a.method("Narrow", "take" + k, "(" + k + ")I"))
                .u1(0xac).get()); // return take(i)
            a.add(9, "store" + k, "(I)I", 1, 1, b().u1(0x1a, 0xb8).u2(a.method("Narrow", "give" + k, "(I)" + k))
                .u1(0xb3).u2(s).u1(0xb2).u2(s).u1(0x99).u2(5).u1(0x04, 0xac, 0x03, 0xac)
                .get()); // s = give(i); return s != 0 ? 1 : 0
            a.add(9, "handle" + k, "(Ljava/lang/invoke/MethodHandle;I)I", 2, 2, b().u1(0x2a, 0x1b, 0xb6)
                .u2(a.method("java/lang/invoke/MethodHandle", "invokeExact", "(" + k + ")" + k)).u1(0xac).get());
        }
        return a.finish();
    }

    static Object array(String kind) {
        return switch (kind) {
            case "B" -> new byte[1];
            case "S" -> new short[1];
            case "C" -> new char[1];
            default -> new boolean[1];
        };
    }

    static void run(Class<?> c, String kind, int value) throws Exception {
        StringBuilder s = new StringBuilder(kind + " " + value);
        Object o = c.getConstructor().newInstance(), array = array(kind);
        s.append(' ').append(c.getMethod("field" + kind, c, int.class).invoke(null, o, value));
        s.append(' ').append(c.getMethod("array" + kind, array.getClass(), int.class).invoke(null, array, value));
        for (String name : new String[] {"static", "result", "pass", "store"})
            s.append(' ').append(c.getMethod(name + kind, int.class).invoke(null, value));
        MethodHandle same = MethodHandles.identity(array.getClass().getComponentType());
        s.append(' ').append(c.getMethod("handle" + kind, MethodHandle.class, int.class).invoke(null, same, value));
        System.out.println(s);
    }

    static boolean read(Narrowed n) { return n.flag; }

    static Object unsafe;

    /** A call of Unsafe, without javac's warning. */
    static Object call(String name, Object argument) throws Exception {
        return unsafe.getClass().getMethod(name, argument.getClass()).invoke(unsafe, argument);
    }

    static void put(Object in, Object offset, int value) throws Exception {
        unsafe.getClass().getMethod("putByte", Object.class, long.class, byte.class)
            .invoke(unsafe, in, ((Number) offset).longValue(), (byte) value);
    }

    /** Bytes other than 0 and 1 in booleans. */
    static void unsafe(int value) throws Exception {
        Field k = Narrowed.class.getDeclaredField("kept");
        Narrowed n = new Narrowed();
        boolean[] some = new boolean[2];
        put(n, call("objectFieldOffset", Narrowed.class.getDeclaredField("flag")), value);
        put(some, call("arrayBaseOffset", boolean[].class), value);
        put(call("staticFieldBase", k), call("staticFieldOffset", k), value);
        int set = 0;
        for (int i = 0; i < 3; i++) {
            if (n.flag) set++;
            if (some[0]) set++;
            if (kept) set++;
            n.other = n.flag;
            some[1] = kept;
            if (n.other == read(n)) set++;
            kept = some[0];
            boolean local = n.flag;
            if (local & some[1]) set++;
        }
        System.out.println("unsafe " + value + (set > 0 ? " set" : " not set"));
    }

    public static void main(String[] args) throws Exception {
        Class<?> c = Assembler.load("Narrow", narrow());
        for (String kind : new String[] {"B", "S", "C", "Z"})
            for (int value : VALUES) run(c, kind, value);
        Field f = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        f.setAccessible(true);
        unsafe = f.get(null);
        for (int value : new int[] {3, 2, -1, 128}) unsafe(value);
    }
}
