package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** By the SQLSTATE of limits: an entry of an index is at most a third of a page. */
    @Test
    default void aValueThatIsTooLongForAnIndexGets422() throws Exception {
        String label = new Random(1).ints(20_000, 'a', 'z' + 1).mapToObj(Character::toString)
                .collect(Collectors.joining());

        assertThat(problem(gateway().post("/labels", "{\"labels\":[\"" + label + "\"]}"), 422))
                .isEqualTo("a value does not fit");
    }

    /** By a SQLSTATE of wrong statements: 42601, or 42704 for the name of a configuration. */
    @ParameterizedTest
    @CsvSource({"english, a%20b, 422", "english, %26, 422", "english, (, 422", "klingon, a, 422",
        "english, a, 200"})
    default void aTextThatIsNoQueryGets422(String language, String words, int status) throws Exception {
        assertThat(gateway().get("/words?language=" + language + "&q=" + words).statusCode())
                .isEqualTo(status);
    }

    /** The texts are constants, alone or in dynamic SQL, or no text is one of the request's. */
    @ParameterizedTest
    @ValueSource(strings = {"/wrong-words?q=a", "/wrong-words-of-none", "/no-table?q=a",
        "/executed?sql=SELEC", "/executed?sql=SELECT%20'a%20b'::tsquery"})
    default void aWrongStatementGets500(String target) throws Exception {
        assertThat(problem(gateway().get(target), 500)).startsWith("internal error");
    }

    @Test
    default void twoElementsThatChangeOneRowGet409() throws Exception {
        assertThat(problem(gateway().post("/labels", "{\"labels\":[\"a\",\"a\"]}"), 409))
                .isEqualTo("two rows with the same key");
        assertThat(problem(gateway().post("/label-rows", "[{\"label\":\"a\"},{\"label\":\"a\"}]"), 409))
                .isEqualTo("rows 0..1: two rows with the same key");
        problem(gateway().get("/two-rows"), 500); // the same SQLSTATE
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

    /** The body is an array, in which the name of a parameter is no place. */
    @ParameterizedTest
    @CsvSource({"0, n", "7, one per order"})
    default void theRowsOfAnImportAndTheConstraintThatTheyViolateAreNamed(int n, String constraint)
            throws Exception {
        String rows = IntStream.range(0, 1000).mapToObj(i -> "{\"n\":" + (i == 730 ? n : 7 + i) + '}')
                .collect(Collectors.joining(",", "[", "]"));

        HttpResponse<String> answer = gateway().post("/checked-rows", rows);

        assertThat(problem(answer, 409))
                .isEqualTo("rows 500..999: " + constraint + ": conflicts with what is stored");
        assertThat(JSON.readTree(answer.body()).get("errors")).hasToString("[{\"constraint\":\"" + constraint
                + "\",\"detail\":\"conflicts with what is stored\"}]");
    }

    @Test
    default void anElementThatIsRefusedByAStateOfItsOwnIsNamed() throws Exception {
        HttpResponse<String> answer = gateway().post("/raised-lines",
                "{\"lines\":[{\"state\":\"\"},{\"state\":\"ORD01\"},{\"state\":\"\"}]}");

        assertThat(problem(answer, 410)).isEqualTo("lines/1: Gone");
        assertThat(JSON.readTree(answer.body()).get("errors"))
                .hasToString("[{\"pointer\":\"#/lines/1\",\"detail\":\"Gone\"}]");
    }
}
