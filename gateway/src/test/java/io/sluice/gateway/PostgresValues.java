package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that PostgreSQL's driver has in several texts. */
interface PostgresValues extends QuerySubject {

    /** From its sixth execution a statement's numbers arrive in binary format. */
    @ParameterizedTest
    @CsvSource({"float8, 1767225600.123456, 1767225600.123456", "float8, 3, 3", "float8, 1e-7, 0.0000001",
        "float8, 1e20, 100000000000000000000", "float8, NaN, NaN", "float4, 0.1, 0.1",
        "float4, 16777216, 16777216", "float4, -Infinity, -Infinity"})
    default void aNumberHasOneTagInBothFormats(String type, String value, String tag) throws Exception {
        for (int i = 0; i < 8; i++) {
            assertThat(gateway().get("/one/" + type + '/' + value).headers().firstValue("etag"))
                    .hasValue('"' + tag + '"');
        }
    }

    /** Years below 1 and beyond 9999 have a sign in the request, as those of single values. */
    @Test
    default void arraysHaveTheYearsOfPostgres() throws Exception {
        assertThat(ok(gateway().get("/years?days=-0043-03-15&days=0000-05-01&days=%2B10000-01-01"
                + "&times=-0043-03-15T10:00:00.5&times=%2B10000-01-01T10:00&times=2026-01-31T10:00"
                + "&moments=-0043-03-15T10:00:00%2B01:00&moments=%2B10000-01-01T10:00Z")))
                .isEqualTo("{\"days\":\"0044-03-15 BC,0001-05-01 BC,10000-01-01\","
                        + "\"times\":\"0044-03-15 10:00:00.5 BC,10000-01-01 10:00:00,2026-01-31 10:00:00\","
                        + "\"moments\":\"0044-03-15 09:00:00+00 BC,10000-01-01 10:00:00+00\"}");
    }
}
