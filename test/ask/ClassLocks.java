// The monitor of a class, taken by its static synchronized methods and by blocks on its object: in its own code, in
// that of a nested class, through a variable, in a class of which objects are made; also two classes of one name of
// two loaders, and one whose object is in no event.
import java.io.InputStream;

public class ClassLocks {
    static int safeOwn, safeNested, safeVariable, safeMade, safeWait, racyOther;
    public static int racyLoaders;

    static class Outer {
        static synchronized void method() {
            safeNested++;
        }

        static class Inner {
            static void block() {
                synchronized (Outer.class) {
                    safeNested++;
                }
            }
        }
    }

    static class Variable {
        static synchronized void method() {
            safeVariable++;
        }

        static void block(Object lock) {
            synchronized (lock) {
                safeVariable++;
            }
        }
    }

    /** Its object is in no constant of the code. */
    static class Made {
        static synchronized void method() {
            safeMade++;
        }

        void block() {
            synchronized (getClass()) {
                safeMade++;
            }
        }
    }

    static class Waits {
        static boolean told;

        static synchronized void await() throws InterruptedException {
            while (!told)
                Waits.class.wait();
            safeWait++;
        }

        static void tell() {
            synchronized (Waits.class) {
                safeWait++;
                told = true;
                Waits.class.notifyAll();
            }
        }
    }

    static class Left {
        static synchronized void racy() {
            racyOther++;
        }

        static synchronized void then() {
            synchronized (Right.class) {
                Right.nothing++;
            }
        }
    }

    static class Right {
        static int nothing;

        static synchronized void racy() {
            racyOther++;
        }

        static synchronized void then() {
            synchronized (Left.class) {
                nothing++;
            }
        }
    }

    /** In two loaders: each has a monitor of its own. */
    public static class Twice implements Runnable {
        static synchronized void method() {
            ClassLocks.racyLoaders++;
        }

        public void run() {
            synchronized (Twice.class) {
                method();
            }
        }
    }

    /** Its object is in no event. */
    static class Silent {
        static int count;

        static synchronized void method() {
            count++;
        }
    }

    /** For the questions: the object of a class. */
    static void told(String name, Class<?> object) { }

    static synchronized void method() {
        safeOwn++;
    }

    static void block() {
        synchronized (ClassLocks.class) {
            safeOwn++;
        }
    }

    static class Loader extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("ClassLocks$Twice"))
                return super.loadClass(name, resolve);
            try (InputStream in = ClassLocks.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    interface Task {
        void run() throws Exception;
    }

    static Thread thread(String name, Task task) {
        return new Thread(() -> {
            try {
                task.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, name);
    }

    static void both(Task a, Task b) throws Exception {
        Thread first = thread("first", a), second = thread("second", b);
        first.start();
        second.start();
        first.join();
        second.join();
    }

    /** One behind the other in time, which nothing in the recording orders. */
    static void inTurn(Task a, Task b) throws Exception {
        Thread first = thread("first", a), second = thread("second", b);
        first.start();
        while (first.getState() != Thread.State.TERMINATED)
            Thread.sleep(1);
        second.start();
        first.join();
        second.join();
    }

    public static void main(String[] args) throws Exception {
        both(ClassLocks::method, ClassLocks::block);
        both(Outer::method, Outer.Inner::block);
        Class<?> variable = Variable.class;
        both(Variable::method, () -> Variable.block(variable));
        Made made = new Made();
        both(Made::method, made::block);
        both(Waits::await, Waits::tell);
        inTurn(Left::racy, Right::racy);
        inTurn(Left::then, Right::then);
        Runnable other = (Runnable) new Loader().loadClass("ClassLocks$Twice").getDeclaredConstructor().newInstance();
        Runnable own = new Twice();
        inTurn(own::run, other::run);
        Silent.method();
        for (String name : new String[] { "", "$Outer", "$Variable", "$Made", "$Waits", "$Left", "$Right", "$Twice" })
            told("ClassLocks" + name, Class.forName("ClassLocks" + name));
        told("ClassLocks$Twice", other.getClass());
    }
}
