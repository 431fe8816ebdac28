import java.net.*;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;

/**
 * Compares the verdicts of our verifier (verify_mutants) with those of this JVM. Arguments: the folder, a class path
 * for what the classes refer to. Run with -Xverify:all.
 *
 * A change is compared if the JVM takes the class without it (kind none, or old for changes of an old class). What
 * our verifier refuses the JVM must refuse; what the JVM refuses, ours too, unless the reason lies in other classes:
 * whether one class is a subclass of another, or access to a protected member. Prints a line for each kind, exit 1 for
 * any fault.
 */
public class Verdicts {
    static final Pattern SUBCLASS = Pattern.compile(
        "Type '(\\[*L)?[^'\\[]+' .*is not assignable to '(\\[*L)?[^'\\[]+'", Pattern.DOTALL);
    /** Reasons that are seen in other classes only, in the words of HotSpot. */
    static final List<String> ELSEWHERE = List.of(
        "Bad access to protected", "current class isn't assignable to reference class");
    /**
     * The same of the verifier that infers types: two classes that meet have a superclass that we do not know, or a
     * class that stores objects of others in its fields was an interface before its flags were changed.
     */
    static final List<String> ELSEWHERE_OLD = List.of(
        "Incompatible object argument", "Incompatible argument", "Incompatible type for", "Can only throw Throwable",
        "catch_type not a subclass of Throwable", "Wrong return type", "Illegal use of nonvirtual function call",
        "Bad type in putfield/putstatic");

    static class One extends ClassLoader {
        One(ClassLoader parent) { super(parent); }

        /** Null: it is linked. Empty: classes that are not there, no verdict. */
        String verdict(Path file) throws Exception {
            byte[] bytes = Files.readAllBytes(file);
            try {
                Class<?> c = defineClass(null, bytes, 0, bytes.length);
                if (c.isInterface()) c.getDeclaredMethods(); // the JVM links before it answers
                else c.getDeclaredConstructors();
                return null;
            } catch (VerifyError | ClassFormatError e) {
                return String.valueOf(e.getMessage());
            } catch (Throwable e) {
                return "";
            }
        }
    }

    static boolean elsewhere(String reason, boolean old) {
        if (SUBCLASS.matcher(reason).find() || (old && ELSEWHERE_OLD.stream().anyMatch(reason::contains))) return true;
        return ELSEWHERE.stream().anyMatch(reason::contains);
    }

    public static void main(String[] args) throws Exception {
        List<URL> path = new ArrayList<>();
        for (String p : args[1].split(":")) path.add(Path.of(p).toUri().toURL());
        ClassLoader others = new URLClassLoader(path.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
        Map<String, int[]> counts = new TreeMap<>(); // compared, refused by both, left to other classes
        boolean taken = false, takenOld = false;
        int faults = 0;
        for (String line : Files.readAllLines(Path.of(args[0], "verdicts"))) {
            String[] f = line.split("\t", 4);
            Path file = Path.of(args[0], f[0] + ".class");
            boolean old = f[2].endsWith("-old"), ours = f[3].equals("taken");
            String jvm = new One(others).verdict(file);
            if (f[2].startsWith("none")) {
                if (old) takenOld = jvm == null; else taken = jvm == null;
            } else if (!(old ? takenOld : taken) || "".equals(jvm)) {
                continue;
            }
            int[] n = counts.computeIfAbsent(f[2], k -> new int[3]);
            n[0]++;
            if (jvm != null && !ours) n[1]++;
            if (jvm != null && ours && elsewhere(jvm, old)) n[2]++;
            String what = file + ", " + f[1] + " " + f[2];
            if (jvm == null && !ours)
                System.out.printf("FAILED: %s: the JVM takes it, ours: %s%n", what, f[3]);
            else if (jvm != null && ours && !"".equals(jvm) && !elsewhere(jvm, old))
                System.out.printf("FAILED: %s: taken, the JVM: %s%n", what, jvm.lines().limit(5).toList());
            else continue;
            faults++;
        }
        counts.forEach((kind, n) -> System.out.printf("%-20s %6d compared, %6d refused by both, %5d refused by the JVM"
            + " because of other classes%n", kind, n[0], n[1], n[2]));
        System.out.println(faults + " faults");
        System.exit(faults > 0 ? 1 : 0);
    }
}
