package io.sluice.handlers.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.type.Secret;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CursorSealTest {
    private static final List<String> VALUES =
            Arrays.asList("2026-01-31 10:00:00", "", null, "Bj\u00f6rn", null);

    private final CursorSeal seal = new CursorSeal(Optional.of(new Secret("s")));

    @Test
    void aCursorHasItsValues() {
        assertThat(seal.open("p", seal.seal("p", VALUES))).isEqualTo(VALUES);
        assertThat(new CursorSeal(Optional.of(new Secret("s"))).open("p", seal.seal("p", VALUES)))
                .isEqualTo(VALUES);
    }

    @Test
    void aCursorOfAnotherPurposeOrSecretOrAChangedOneIsNone() {
        String cursor = seal.seal("p", VALUES);

        assertThat(seal.open("q", cursor)).isNull();
        assertThat(new CursorSeal(Optional.empty()).open("p", cursor)).isNull();
        assertThat(seal.open("p", "")).isNull();
        assertThat(seal.open("p", "!")).isNull();
        for (int i = 0; i < cursor.length(); i++) {
            char other = cursor.charAt(i) == 'A' ? 'B' : 'A';
            assertThat(seal.open("p", cursor.substring(0, i) + other + cursor.substring(i + 1))).isNull();
        }
    }
}
