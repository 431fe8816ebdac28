import java.io.*;
import java.lang.invoke.*;
import java.lang.reflect.Proxy;
import java.util.function.*;
import java.util.stream.*;

/**
 * invokedynamic and its relatives: captures, method references, serializable lambdas, concatenation, handles, proxies,
 * hidden classes.
 */
// agent: weave=EXEC+CALL+PARAM
// expect: INVOKE_DYNAMIC Lambdas.main(
// expect: INVOKE_DYNAMIC_PARAM Lambdas.captures(* value #*:java.lang.String="s"
// next: INVOKE_DYNAMIC_PARAM Lambdas.captures(* value 5
// next: INVOKE_DYNAMIC_RESULT Lambdas.captures(* value #*:Lambdas$$Lambda
// expect: METHOD_PARAM Lambdas.lambda$captures$*(* value #*:java.lang.String="s" *index=0*
// next: METHOD_PARAM Lambdas.lambda$captures$*(* value 5 *index=1*
// next: METHOD_PARAM Lambdas.lambda$captures$*(* value 9 *index=2*
// agent: weave=ALL
public class Lambdas {
    interface Named extends Serializable { String name(int i); }
    static IntFunction<String> captures(int n, String s) { return x -> s + n + x; }
    long base = 100;
    LongUnaryOperator instance() { return x -> x + base; }
    static class Hidden implements Supplier<String> {
        public String get() { return "hidden " + getClass().isHidden(); }
    }
    public static void main(String[] args) throws Throwable {
        Runnable r = () -> System.out.println("plain");
        r.run();
        System.out.println(captures(5, "s").apply(9));
        System.out.println(new Lambdas().instance().applyAsLong(1));
        Function<String, Integer> len = String::length;
        Supplier<StringBuilder> make = StringBuilder::new;
        IntFunction<int[]> array = int[]::new;
        System.out.println(len.apply("four") + make.get().append('x').toString() + array.apply(3).length);
        Named named = i -> "named " + i;
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        new ObjectOutputStream(b).writeObject(named);
        System.out.println(
            ((Named) new ObjectInputStream(new ByteArrayInputStream(b.toByteArray())).readObject()).name(4));
        System.out.println("" + 1 + 'c' + 2L + 3.5f + null + true + (byte) 4 + args.length);
        System.out.println(
            IntStream.range(0, 20).boxed().filter(i -> i % 3 == 0).map(i -> "v" + i).collect(Collectors.joining(",")));
        MethodHandle h = MethodHandles.lookup().findVirtual(
            String.class, "concat", MethodType.methodType(String.class, String.class));
        System.out.println((String) h.invokeExact("a", "b") + (Object) h.invoke((Object) "c", (Object) "d"));
        VarHandle v = MethodHandles.arrayElementVarHandle(long[].class);
        long[] a = new long[2];
        System.out.println((long) v.getAndAdd(a, 1, 5L) + a[1] + " " + v.compareAndSet(a, 0, 0L, 7L));
        Supplier<?> proxy = (Supplier<?>) Proxy.newProxyInstance(
            Lambdas.class.getClassLoader(), new Class<?>[] {Supplier.class}, (p, m, x) -> "proxy of " + m.getName());
        System.out.println(proxy.get());
        byte[] bytes;
        try (InputStream in = Lambdas.class.getResourceAsStream("Lambdas$Hidden.class")) { bytes = in.readAllBytes(); }
        // the bytes name Lambdas$Hidden, which is a nestmate of Lambdas: a hidden class of the same package
        System.out.println(((Supplier<?>) MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass()
            .getDeclaredConstructor().newInstance()).get());
    }
}
