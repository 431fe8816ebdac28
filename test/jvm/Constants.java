import java.lang.invoke.*;

/**
 * ldc of everything: strings, classes, method types, handles, dynamic constants (also primitive ones), in wide pools.
 */
// classes: lib/Assembler.java
// agent: weave=ALL,e=Assembler
// agent: weave=OBJECT,e=Assembler
// expect: OBJECT_CONSTANT_LOAD Consts.text(I)Ljava/lang/Object; * value #*:java.lang.String="a constant"
// expect: OBJECT_CONSTANT_LOAD Consts.type(* value #*:java.lang.Class
// expect: OBJECT_CONSTANT_LOAD Consts.methodType(* value #*:java.lang.invoke.MethodType
// expect: OBJECT_CONSTANT_LOAD Consts.condy(* value #*:java.lang.String="made condy"
// never: OBJECT_CONSTANT_LOAD Consts.condyInt(
public class Constants {
    public static String make(MethodHandles.Lookup l, String name, Class<?> type) { return "made " + name; }
    public static int makeInt(MethodHandles.Lookup l, String name, Class<?> type) { return name.length(); }
    public static long makeLong(MethodHandles.Lookup l, String name, Class<?> type) { return 1L << 40; }
    public static void main(String[] args) throws Exception {
        Assembler a = new Assembler(55, "Consts");
        for (int i = 0; i < 300; i++) a.integer(70000 + i); // what follows needs ldc_w
        String desc = "(I)Ljava/lang/Object;";
        String b = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)";
        int made = a.bootstrap(a.handle(6, a.method("Constants", "make", b + "Ljava/lang/String;")));
        int madeInt = a.bootstrap(a.handle(6, a.method("Constants", "makeInt", b + "I")));
        int madeLong = a.bootstrap(a.handle(6, a.method("Constants", "makeLong", b + "J")));
        Object[][] rows = {{"text", a.string("a constant")}, {"type", a.type("[[I")},
            {"methodType", a.methodType("(IJ)V")}, {"handle", a.handle(6, a.method("java/lang/Math", "abs", "(I)I"))},
            {"condy", a.dynamic(17, made, "condy", "Ljava/lang/String;")}};
        for (Object[] r : rows)
            a.add(9, (String) r[0], desc, 1, 1, new Assembler.Bytes().u1(0x13).u2((int) r[1]).u1(0xb0).get());
        a.add(9, "condyInt", "(I)I", 1, 1,
            new Assembler.Bytes().u1(0x13).u2(a.dynamic(17, madeInt, "seven77", "I")).u1(0xac).get());
        a.add(9, "condyLong", "(I)J", 2, 1,
            new Assembler.Bytes().u1(0x14).u2(a.dynamic(17, madeLong, "x", "J")).u1(0xad).get());
        a.add(9, "longs", "(I)J", 2, 1, new Assembler.Bytes().u1(0x14).u2(a.longs(-5000000000L)).u1(0xad).get());
        Class<?> c = Assembler.load("Consts", a.finish());
        String[] names = {"text", "type", "methodType", "handle", "condy", "condyInt", "condyLong", "longs"};
        for (String m : names) {
            Object o = c.getMethod(m, int.class).invoke(null, 1);
            System.out.println(m + " " + o + " " + (o == c.getMethod(m, int.class).invoke(null, 1)));
        }
    }
}
