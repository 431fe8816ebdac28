/**
 * System properties of a class of the program, set by reflection: the JDK asks them in the middle of an instruction,
 * and the events in front of it come first, also with derive=on (logging/agent/own_properties.c).
 */
// agent: weave=ALL
// agent: weave=ALL,derive=on
// expect: METHOD_ENTRY OwnProperties.create(
// expect: LOCAL_INCREMENT OwnProperties.create(
// next: LINE_NUMBER OwnProperties.create(
// next: METHOD_ENTRY OwnProperties.getProperty(
// expect: NEW_OBJECT OwnProperties.create(
// expect: LOCAL_INCREMENT OwnProperties.create(
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.util.Properties;

public class OwnProperties extends Properties {
    static int calls;

    @Override
    public String getProperty(String key) {
        calls++;
        return super.getProperty(key);
    }

    static int create(int k) throws IOException {
        int t = k;
        t += 3;
        Object o = new ObjectOutputStream(new ByteArrayOutputStream()); // its initializer reads one
        t++;
        return o == null ? 0 : t;
    }

    public static void main(String[] args) throws Exception {
        Properties own = new OwnProperties();
        own.putAll(System.getProperties());
        System.class.getMethod("setProperties", Properties.class).invoke(null, own);
        System.out.println(create(3) > 0 && calls > 0);
    }
}
