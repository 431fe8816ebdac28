import java.util.Properties;

/**
 * What the JVM asks while it loads a class is of the program: the system properties, or with the argument `manager` the
 * security manager. Says "ready PID", and waits for a line; then a class is loaded in the middle of straight code.
 */
public class Asked {
    static int calls;

    static class Own extends Properties {
        @Override
        public String getProperty(String key) {
            calls++;
            return super.getProperty(key);
        }
    }

    @SuppressWarnings("removal")
    static class Manager extends SecurityManager {
        @Override
        public void checkPermission(java.security.Permission p) { calls++; }

        @Override
        public void checkPackageAccess(String name) { calls++; }
    }

    static int it(Object o, int x) {
        int l = x * 3;
        if (x > 3)
            if (o instanceof AskedLate) l++;
        return l;
    }

    @SuppressWarnings("removal")
    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            System.setSecurityManager(new Manager());
        } else {
            Properties own = new Own();
            own.putAll(System.getProperties());
            System.setProperties(own);
        }
        System.out.println("ready " + ProcessHandle.current().pid());
        System.in.read();
        calls = 0;
        System.out.println(it("x", 7) + (calls > 0 ? " asked" : " not asked"));
    }
}

class AskedLate {}
