package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that PostgreSQL refuses, and the places of the request that they are told with. */
interface PostgresRefusals extends QuerySubject {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            state=shut&a_text=shut2 | state: shut (expected: a value of the type order_state)
            a_text=shut&state=shut  | state: shut (expected: a value of the type order_state)
            an_int=9999999999       | an_int: 9999999999 (expected: a value of the type int4)
            """)
    default void aValueThatOnlyTheDatabaseRefusesIsNamed(String query, String mistake) throws Exception {
        assertThat(problem(gateway().get("/every-type?" + query), 400)).isEqualTo(mistake);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0  | lines/1300/n: conflicts with what is stored
            -1 | lines/1300: one per order: conflicts with what is stored
            """)
    default void theElementAndTheConstraintThatItViolatesAreNamed(int n, String mistake)
            throws Exception {
        String lines = IntStream.range(0, 1400)
                .mapToObj(i -> "{\"n\":" + (i != 1300 ? 7 + i : n < 0 ? 7 : n) + '}')
                .collect(Collectors.joining(",", "{\"lines\":[", "]}"));

        assertThat(problem(gateway().post("/checked-lines", lines), 409)).isEqualTo(mistake);
    }
}
