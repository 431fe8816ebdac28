import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import java.util.Arrays;
import org.junit.Test;

public class TruthTests {
    @Test // page: expected 6 actual 3 from total
    public void number() {
        assertThat(Values.total(1, 2, 3)).isEqualTo(6);
    }

    @Test // page: actual 3 from total
    public void described() {
        assertWithMessage("sum").that(Values.total(1, 2, 3)).isGreaterThan(5);
    }

    @Test // page: actual [tea, cap] differ [1] from names
    public void varied() {
        assertThat(Values.names()).containsExactly("tea", "cup").inOrder();
    }

    @Test // page: expected [tea, cup] actual [tea, cap] differ [1] from names
    public void list() {
        assertThat(Values.names()).isEqualTo(Arrays.asList("tea", "cup"));
    }

    @Test // page: expected "n3" actual "n3 " from label
    public void text() {
        assertThat(Values.label(3)).isEqualTo("n3");
    }

    @Test // page: actual false
    public void truth() {
        assertThat(Values.names().contains("cup")).isTrue();
    }
}
