import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.*;

import org.junit.Test;

public class HamcrestTests {
    @Test // page: expected 6 actual 3 from total
    public void number() {
        assertThat(Values.total(1, 2, 3), is(6));
    }

    @Test // page: expected 6 actual 3 from total
    public void described() {
        assertThat("sum", Values.total(1, 2, 3), is(equalTo(6)));
    }

    @Test // page: actual 3 from total
    public void negated() {
        assertThat(Values.total(1, 2, 3), is(not(3)));
    }

    @Test // page: actual [tea, cap] differ [1] from names
    public void list() {
        assertThat(Values.names(), contains("tea", "cup"));
    }

    @Test // page: expected "n3" actual "n3 " from label
    public void text() {
        assertThat(Values.label(3), is("n3"));
    }

    @Test // page: actual false
    public void truth() {
        assertThat("has it", Values.names().contains("cup"));
    }
}
