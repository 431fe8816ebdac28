import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;

/** A server under load: H2 in memory, MERGE statements in a loop. Argument: seconds. Prints how many a second. */
public class H2Merge {
    public static void main(String[] args) throws Exception {
        final long second = 1_000_000_000L, end = System.nanoTime() + Long.parseLong(args[0]) * second;
        try (Connection c = DriverManager.getConnection("jdbc:h2:mem:x")) {
            c.createStatement().execute("create table t(id int primary key, v varchar(50), n int)");
            PreparedStatement p = c.prepareStatement("merge into t values(?, ?, ?)");
            int i = 0;
            while (System.nanoTime() < end) {
                long from = System.nanoTime();
                int first = i;
                for (; System.nanoTime() < from + second; i++) {
                    p.setInt(1, i % 5000);
                    p.setString(2, "value " + i);
                    p.setInt(3, i);
                    p.executeUpdate();
                }
                System.out.println((i - first) * second / (System.nanoTime() - from) + " a second");
            }
        }
    }
}
