package io.sluice.handlers.selection;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Types;
import org.junit.jupiter.api.Test;

class ColumnTypeTest {
    /** A + that a query string has unencoded arrives as a space. */
    @Test
    void bytesAreBase64AlsoWithAnUnencodedPlus() {
        var type = new ColumnType(Types.BINARY, "bytea");

        assertThat(type.expectedInPlaceOf("3q2 7w==")).isNull();
        assertThat(type.valueOf("3q2 7w==", new Dialect("\"", true))).isEqualTo("\\xdeadbeef");
        assertThat(type.expectedInPlaceOf("3q2?7w==")).contains("base64");
    }
}
