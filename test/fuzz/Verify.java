import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

/**
 * Links pairs of class files, OUT/N.plain and OUT/N.woven (fuzz_replay --woven), each in a loader of its own, and
 * compares the verdicts: what the JVM takes plain it takes woven. A plain class that it refuses (most that a fuzzer
 * makes) says nothing about the woven one. Exit 1 with a line for each that is wrong, or if no plain class is taken.
 */
public class Verify {
    static class One extends ClassLoader {
        One() { super(ClassLoader.getPlatformClassLoader()); }

        /** Null: it is linked. Classes that are not there are no verdict of the verifier. */
        String verdict(Path file) throws Exception {
            byte[] bytes = Files.readAllBytes(file);
            try {
                Class<?> c = defineClass(null, bytes, 0, bytes.length);
                if (c.isInterface()) c.getDeclaredMethods(); // the JVM links before it answers
                else c.getDeclaredConstructors();
                return null;
            } catch (VerifyError | ClassFormatError e) {
                return String.valueOf(e).lines().findFirst().orElse("");
            } catch (Throwable e) {
                return "";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int pairs = 0, taken = 0, wrong = 0;
        List<Path> files;
        try (Stream<Path> s = Files.list(Path.of(args[0]))) {
            files = s.filter(p -> p.toString().endsWith(".plain")).sorted().collect(Collectors.toList());
        }
        for (Path plain : files) {
            pairs++;
            if (new One().verdict(plain) != null) continue;
            taken++;
            String name = plain.toString();
            String now = new One().verdict(Path.of(name.substring(0, name.length() - 5) + "woven"));
            if (now != null) {
                wrong++;
                System.out.println("WRONG: " + plain.getFileName() + " is verified, woven it is not: " + now);
            }
        }
        System.out.printf("%d classes woven, %d of them verified plain, %d not verified woven%n", pairs, taken, wrong);
        System.exit(wrong > 0 || taken == 0 ? 1 : 0);
    }
}
