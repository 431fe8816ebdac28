import java.io.File;
import java.util.List;
import org.graalvm.visualvm.lib.jfluid.heap.ArrayItemValue;
import org.graalvm.visualvm.lib.jfluid.heap.FieldValue;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.Instance;
import org.graalvm.visualvm.lib.jfluid.heap.JavaClass;
import org.graalvm.visualvm.lib.jfluid.heap.ObjectArrayInstance;
import org.graalvm.visualvm.lib.jfluid.heap.ObjectFieldValue;
import org.graalvm.visualvm.lib.jfluid.heap.PrimitiveArrayInstance;

/** HeapReader DUMP WHEN: prints with VisualVM's library what Heap.show(WHEN) has printed. */
public class HeapReader {
    static FieldValue field(Instance i, String declaring, String name) {
        for (Object o : i.getFieldValues()) {
            FieldValue v = (FieldValue) o;
            if (v.getField().getName().equals(name) && v.getField().getDeclaringClass().getName().equals(declaring)
                && !v.getField().isStatic()) return v;
        }
        throw new IllegalStateException(declaring + "." + name);
    }

    static Instance object(Instance i, String declaring, String name) {
        return ((ObjectFieldValue) field(i, declaring, name)).getInstance();
    }

    static String value(Instance i, String declaring, String name) {
        return field(i, declaring, name).getValue();
    }

    static List<?> values(Instance array) {
        return ((PrimitiveArrayInstance) array).getValues();
    }

    static String text(Instance s) {
        if (s == null) return "null";
        List<?> bytes = values(object(s, "java.lang.String", "value"));
        int step = value(s, "java.lang.String", "coder").equals("0") ? 1 : 2;
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < bytes.size(); i += step) {
            int c = Integer.parseInt((String) bytes.get(i)) & 0xff;
            if (step == 2) c |= (Integer.parseInt((String) bytes.get(i + 1)) & 0xff) << 8;
            b.append(c).append(' ');
        }
        return b.toString();
    }

    public static void main(String[] a) throws Exception {
        org.graalvm.visualvm.lib.jfluid.heap.Heap heap = HeapFactory.createHeap(new File(a[0]));
        JavaClass main = heap.getJavaClassByName("Heap");
        Object count = main.getValueOfStaticField("count"), ready = main.getValueOfStaticField("ready");
        System.out.println(a[1] + " " + count + " " + ready);
        Instance i = (Instance) main.getValueOfStaticField("first");
        String item = "Heap$Item", base = "Heap$Base";
        for (int n = 0; i != null && n < 4; n++, i = object(i, item, "next")) {
            if (!i.getJavaClass().getSuperClass().getName().equals(base)) throw new IllegalStateException("superclass");
            System.out.println(value(i, base, "number") + " " + value(i, base, "wide") + " "
                + text(object(i, base, "hidden")) + "/" + text(object(i, item, "name")));
            System.out.println((int) value(i, item, "unit").charAt(0) + " " + value(i, item, "flag") + " "
                + value(i, item, "small") + " " + value(i, item, "half") + " " + value(i, item, "ratio"));
            for (Object d : values(object(i, item, "prices"))) System.out.println(d);
            for (Object b : values(object(i, item, "bytes"))) System.out.println(b);
            for (Object row : ((ObjectArrayInstance) object(i, item, "grid")).getValues())
                for (Object cell : values((Instance) row)) System.out.println(cell);
            for (Object o : ((ObjectArrayInstance) object(i, item, "things")).getItems()) {
                Instance thing = ((ArrayItemValue) o).getInstance();
                System.out.println(thing == null ? "null" : binary(thing.getJavaClass().getName()));
            }
            Instance inner = object(i, item, "hidden");
            if (inner != null && object(inner, "Heap$Item$Inner", "this$0").getInstanceId() != i.getInstanceId())
                throw new IllegalStateException("this$0");
            System.out.println("spare " + value(i, item, "spare"));
            System.out.println(inner == null ? "null"
                : "inner " + values(object(inner, "Heap$Item$Inner", "mine")).get(0));
        }
    }

    static String binary(String name) {
        return name.endsWith("[]") ? "[L" + name.substring(0, name.length() - 2) + ";" : name;
    }
}
