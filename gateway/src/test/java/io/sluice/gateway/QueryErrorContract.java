package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of SQL errors: the status tells whether the client is at fault, and the detail reveals no SQL. */
interface QueryErrorContract extends QuerySubject {

    /** Words of the routes' SQL and of messages of the databases and of Java, which clients must not see. */
    String[] NEVER_TOLD = {
        "customers", "no_such", "items", "secret", "SELECT", "INSERT", "FRM", "result", "items_name_key",
        "syntax", "relation", "constraint", "violat", "column", "zero", "integer", "varying", "h2",
        "postgres", "psql", "jdbc", "Exception", "java", "SQL", "22012", "42",
    };

    @ParameterizedTest
    @ValueSource(strings = {"/divide/0", "/cast/abc", "/cast/99999999999", "/divide/99999999999"})
    default void aValueThatTheStatementCannotTakeGets422(String target) throws Exception {
        HttpResponse<String> answer = gateway().get(target);

        assertThat(problem(answer, 422)).isEqualTo("a value does not fit");
        assertTellsNothing(answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/wrong/syntax", "/wrong/table", "/wrong/column"})
    default void aStatementThatCannotRunGets500(String target) throws Exception {
        HttpResponse<String> answer = gateway().get(target);

        assertThat(problem(answer, 500))
                .isEqualTo("internal error; search the log for the requestId");
        assertTellsNothing(answer);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "{\"name\":null}                  | 409",
        "{\"name\":\"a\",\"price\":-1}    | 409",
        "{\"name\":\"a\",\"customer\":0}  | 409",
        "{\"name\":\"a\",\"price\":1e9}   | 422",
        "{\"name\":\"aaaaaaaaaaaaaaaaaaaaa\"} | 422",
    })
    default void constraintMessagesAreNotDisclosed(String body, int status) throws Exception {
        HttpResponse<String> answer = gateway().post("/items", body);

        assertThat(answer.statusCode()).isEqualTo(status);
        assertTellsNothing(answer);
    }

    /** The name of the driver's own limit, whose excess is a 500; databases quote values in messages. */
    @Test
    default void aValueInTheMessageOfAnErrorIsNotTakenForTheErrorOfTheDriver() throws Exception {
        String body = "{\"name\":\"maxResultBuffer\"}";
        ok(gateway().post("/items", body));

        for (int i = 0; i < 2; i++) {
            assertThat(problem(gateway().post("/items", body), 409))
                    .isEqualTo("conflicts with what is stored");
        }
    }

    private static void assertTellsNothing(HttpResponse<String> answer) {
        assertThat(answer.body().replaceAll("\"(requestId|instance)\":\"[^\"]*\"", "")
                .replaceFirst("\"status\":\\d+", "")).doesNotContainIgnoringCase(NEVER_TOLD);
        answer.headers().map().forEach((name, values) -> {
            if (!name.equals("x-request-id") && !name.equals("content-length") && !name.equals("date")) {
                assertThat(values.toString()).doesNotContainIgnoringCase(NEVER_TOLD);
            }
        });
    }

    @Test
    default void theConnectionIsGoodForTheNextStatementAfterAnError() throws Exception {
        for (int i = 0; i < 10; i++) {
            problem(gateway().get("/divide/0"), 422);
            assertThat(ok(gateway().get("/divide/1"))).isEqualTo("[{\"result\":1}]");
        }
    }
}
