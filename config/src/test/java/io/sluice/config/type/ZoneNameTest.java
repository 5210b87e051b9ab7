package io.sluice.config.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZoneNameTest {

    @Test
    void isANameOfTheDatabaseOfTimeZones() {
        assertThat(ZoneName.parse("Europe/Berlin")).hasToString("Europe/Berlin");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Europe/Atlantis", "+02:00", "europe/berlin", "SystemV/EST5EDT"})
    void isNoNameThatServersLack(String name) {
        assertThatThrownBy(() -> ZoneName.parse(name)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage(ZoneName.EXPECTED);
    }
}
