import java.util.Map;

/** Thousands of classes in loaders that come and go: class unloading, one name in many loaders. */
// classes: lib/Assembler.java
// jvm: -Xmx96m -XX:MaxMetaspaceSize=96m
// agent: weave=ALL,e=Assembler
// agent: weave=EXEC,e=Assembler
// count: 3000 METHOD_NORMAL_EXIT Gen.run(
public class ManyClasses {
    public static void main(String[] args) throws Exception {
        Assembler a = new Assembler(52, "Gen");
        a.addField(9, "f", "I");
        a.add(9, "run", "(I)I", 2, 1,
            new Assembler.Bytes().u1(0x1a, 0x59, 0xb3).u2(a.field("Gen", "f", "I")).u1(0xac).get());
        byte[] b = a.finish();
        long sum = 0;
        for (int i = 0; i < 3000; i++) {
            sum += (int) new Assembler.Loader(ManyClasses.class.getClassLoader(), Map.of("Gen", b))
                .loadClass("Gen").getMethod("run", int.class).invoke(null, i);
            if (i % 1000 == 999) System.gc();
        }
        System.out.println(sum);
    }
}
