import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.Test;

public class AssertJTests {
    @Test // page: expected 6 actual 3 from total
    public void number() {
        assertThat(Values.total(1, 2, 3)).isEqualTo(6);
    }

    @Test // page: actual 3 from total
    public void described() {
        assertThat(Values.total(1, 2, 3)).as("sum of %d", 3).isGreaterThan(5);
    }

    @Test // page: actual 3 from total
    public void negated() {
        assertThat(Values.total(1, 2, 3)).isNotEqualTo(3);
    }

    @Test // page: actual [tea, cap] differ [1] from names
    public void varied() {
        assertThat(Values.names()).containsExactly("tea", "cup");
    }

    @Test // page: expected [tea, cup] actual [tea, cap] differ [1] from names
    public void list() {
        assertThat(Values.names()).hasSize(2).isEqualTo(Arrays.asList("tea", "cup"));
    }

    @Test // page: expected "n3" actual "n3 " from label
    public void text() {
        assertThat(Values.label(3)).isNotNull().isEqualTo("n3");
    }

    @Test // page: actual false
    public void truth() {
        assertThat(Values.names().contains("cup")).isTrue();
    }

    @Test // page: actual "tea"
    public void nothing() {
        assertThat(Values.names().get(0)).isNull();
    }

    @Test // page: expected 6 actual 3 from total
    public void of_two() {
        org.assertj.core.api.AbstractIntegerAssert<?> first = assertThat(Values.total(1, 2, 3));
        assertThat(Values.total(6, 1)).isEqualTo(6);
        first.isEqualTo(6);
    }
}
