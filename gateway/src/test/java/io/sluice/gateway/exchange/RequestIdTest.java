package io.sluice.gateway.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestIdTest {

    @ParameterizedTest
    @ValueSource(strings = {
        "1",
        "Az09-_.:/+=",
        "0af7651916cd43dd8448eb211c80319c",
        "f47ac10b-58cc-4372-a567-0e02b2c3d479",
    })
    void keepsAnIdThatIsFitForALog(String id) {
        assertThat(RequestId.of(id)).isEqualTo(id);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {
        "", " ", "a b", "a\tb", "a\r\nb", "\"", "a,b", "<script>", "${jndi:x}", "é", "\u0000",
    })
    void replacesAnIdThatIsNot(String id) {
        assertThat(RequestId.of(id)).matches("[0-9a-f]{16}");
    }

    @Test
    void keeps128CharactersAndReplacesMore() {
        assertThat(RequestId.of("a".repeat(128))).isEqualTo("a".repeat(128));
        assertThat(RequestId.of("a".repeat(129))).matches("[0-9a-f]{16}");
    }

    @Test
    void newIdsDiffer() {
        assertThat(IntStream.range(0, 10_000).mapToObj(_ -> RequestId.of(null))).doesNotHaveDuplicates();
    }
}
