package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PositionTest {

    @Test
    void isReadFromItsText() {
        assertThat(Position.parse("k3:7")).isEqualTo(new Position(20 * 36 + 3, 7)).hasToString("k3:7");
    }

    @Test
    void textThatIsKeptIsShort() {
        assertThat(Position.normalized("0".repeat(8000) + "k3:7")).isEqualTo("k3:7");
        assertThat(Position.normalized("")).isEmpty();
        String unknown = Position.normalized("x".repeat(8000));
        assertThat(unknown).hasSize(1);
        assertThat(Position.parse(unknown)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", "k3", "k3:", ":7", "-1:7", "k3:-7", "k3:7:1", "k3:\u0667",
        "\u0663:7", "\uff21:7", "zzzzzzzzzzzzzz:1"})
    void invalidTextsAreNoPosition(String text) {
        assertThat(Position.parse(text)).isNull();
    }
}
