import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

/**
 * The JDK itself woven: collections, streams, strings, threads and formatting run through hooked java.base with the
 * same output.
 */
// labels: slow
// print: --event METHOD_ENTRY --class java.util.HashMap
// agent: weave=EXEC,i=java/
// expect: METHOD_ENTRY java.util.HashMap.put(
// agent: weave=EXEC+CALL+PARAM,i=java/
// expect: METHOD_ENTRY java.util.HashMap.put(
// agent: weave=ALL,i=java/,i=jdk/,i=sun/,i=javax/
// expect: METHOD_ENTRY java.util.HashMap.put(
public class JdkWoven {
    public static void main(String[] args) throws Exception {
        List<String> l = new ArrayList<>();
        Map<String, Integer> m = new HashMap<>();
        for (int i = 0; i < 100; i++) { l.add("s" + i); m.put("k" + i % 10, i); }
        System.out.println(
            l.stream().filter(s -> s.endsWith("3")).map(String::toUpperCase).collect(Collectors.joining("|")));
        System.out.println(new TreeMap<>(m));
        System.out.printf("%5.2f %08x %s%n", Math.PI, 0xbeef, Optional.of(1));
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Integer>> f = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int n = i;
            f.add(pool.submit(() -> IntStream.rangeClosed(1, 5 + n).reduce(1, (a, b) -> a * b % 1009)));
        }
        int sum = 0;
        for (Future<Integer> x : f) sum += x.get();
        pool.shutdown();
        System.out.println(sum + " " + pool.awaitTermination(1, TimeUnit.MINUTES));
        System.out.println(String.join(",", "a b c".split(" ")) + " " + "x".compareTo("y") + " "
            + new StringBuilder("abc").reverse());
        try { List.of(1).add(2); } catch (UnsupportedOperationException e) { System.out.println(e); }
        System.out.println(
            new java.math.BigInteger("123456789012345678901234567890").pow(3).mod(java.math.BigInteger.valueOf(97)));
        System.out.println("aXbX".replaceAll("X(.)?", "<$1>") + java.time.LocalDate.of(2026, 2, 28).plusDays(1));
    }
}
