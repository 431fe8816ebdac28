import java.io.File;
import java.math.*;
import java.net.URI;
import java.nio.file.Path;
import java.time.*;
import java.util.*;
import java.util.regex.Pattern;

/** Objects that are shown by what they stand for; the program itself prints what toString() says. */
public class Stands {
    enum Color { RED, GREEN { @Override public String toString() { return "not the name"; } } }
    record Point(int x, String name, Integer box, double weight) {}
    record Empty() {}
    record Narrow(byte b, boolean z) {
        Narrow { seen(this); }
    }
    static int inside;

    static void seen(Object o) { inside++; }

    static void see(Object o) { System.out.println(o); }

    static void take(Integer n, Color color, BigDecimal amount, Long id) {
        if (id == null)
            throw new IllegalStateException();
    }

    static Integer field;
    static Object[] elements = new Object[2];

    static void collections(List<Integer> list, Map<String, Integer> map, StringBuilder text) {
        System.out.println(list + "\n" + map + "\n" + text);
    }

    public static void main(String[] args) {
        Random random = new Random(7);
        Object[] fixed = {
            true, (byte) -3, 'x', (short) 300, 1234567, -5_000_000_000L, 1.5f, 2.25, BigInteger.ZERO, BigInteger.TEN,
            new BigDecimal("1.50"), new BigDecimal("1E+7"), new BigDecimal("1.234E-9"), new BigDecimal("-0.000001"),
            new BigDecimal("123456789012345678901234567890.12"), BigDecimal.valueOf(0, 3), new UUID(1, -2),
            LocalDate.of(2026, 1, 2), LocalDate.of(-5, 12, 31), LocalDate.of(12345, 6, 7), LocalTime.of(3, 4),
            LocalTime.of(3, 4, 5, 600), LocalDateTime.of(2026, 1, 2, 3, 4, 5), Instant.EPOCH,
            Instant.parse("1905-02-28T23:59:59.120Z"), Instant.parse("2024-02-29T00:00:00Z"), Duration.ZERO,
            Duration.ofMillis(-1), Duration.ofHours(30), Duration.ofSeconds(-61, 5),
            Duration.ofSeconds(3723, 120_000_000),
            Period.of(1, 0, -3), Period.ZERO, Year.of(2026), YearMonth.of(2026, 11), MonthDay.of(2, 29), ZoneOffset.UTC,
            ZoneOffset.ofHoursMinutes(-3, -30), ZoneId.of("Europe/Paris"),
            ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 6, ZoneId.of("Europe/Paris")),
            OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 6, ZoneOffset.ofHours(2)), Path.of("a/b"), new File("c/d"),
            URI.create("http://host/x?y"), Currency.getInstance("EUR"), Pattern.compile("a+b"), Optional.of("o"),
            Optional.empty(), OptionalInt.of(5), OptionalInt.empty(), OptionalLong.of(7), OptionalDouble.of(0.5),
            RoundingMode.HALF_UP, Color.RED, new Point(3, "q", 77, 0.25), new Empty(),
            new Narrow((byte) 1, true),
            List.of(), List.of("u"), List.of(3, 1), List.of(3, 1, 4), Set.of(9), Map.of("k", 5),
            Collections.emptyList(), Collections.singletonList("s"),
            Optional.of(List.of(Optional.of(new BigDecimal("2.0")))),
            Map.entry("k", new BigInteger("7"))
        };
        for (Object o : fixed)
            see(o);
        for (int i = 0; i < 60; i++) {
            see(new BigInteger(1 + random.nextInt(200), random).negate());
            see(new BigDecimal(new BigInteger(1 + random.nextInt(90), random), random.nextInt(40) - 10));
            see(Instant.ofEpochSecond(random.nextLong() % 60_000_000_000L, random.nextInt(1_000_000_000)));
            see(Duration.ofSeconds(random.nextLong() % 100_000, random.nextInt(1_000_000_000)));
        }
        System.out.println("--");
        take(41, Color.RED, new BigDecimal("110.00"), 5_000_000_000L);
        take(42, Color.GREEN, new BigDecimal("120.00"), 1L);
        field = 4711;
        elements[1] = 4712;
        Integer variable = 4713;
        seen(variable);
        List<Integer> list = new ArrayList<>(List.of(3, 1));
        Map<String, Integer> map = new TreeMap<>();
        map.put("a", 1);
        StringBuilder text = new StringBuilder("be");
        collections(list, map, text);
        list.add(4);
        map.put("b", 2);
        text.append("gun");
        collections(list, map, text);
    }
}
