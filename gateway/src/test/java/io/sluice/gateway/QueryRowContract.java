package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Contract of rows as JSON. */
interface QueryRowContract extends QuerySubject {

    /** Returns the expected answer of {@code /types}: one row with a column of every type. */
    String everyType();

    /** Drivers change how they receive values at about the sixth execution of a statement. */
    @RepeatedTest(12)
    default void everyTypeHasItsJson() throws Exception {
        assertThat(ok(gateway().get("/types")).replace(",\"", ",\n\"")).isEqualTo('[' + everyType() + ']');
    }

    @RepeatedTest(12)
    default void nullIsNullWhateverItsType() throws Exception {
        assertThat(ok(gateway().get("/no-values"))).isEqualTo("[{\"a\":null,\"b\":null,\"c\":null,"
                + "\"d\":null,\"e\":null,\"f\":null,\"g\":null,\"h\":null,\"i\":null,\"j\":null,\"k\":null,"
                + "\"l\":null,\"m\":null,\"n\":null,\"o\":null}]");
    }

    @Test
    default void aSingleRowIsAnObject() throws Exception {
        HttpResponse<String> answer = gateway().get("/customers/7");

        assertThat(ok(answer)).isEqualTo("{\"id\":7,\"email\":\"customer7@example.com\",\"country\":\"FR\"}");
        assertThat(answer.headers().firstValue("row-limit")).isEmpty();
        assertThat(answer.headers().firstValue("content-length")).hasValue("55");
    }

    @Test
    default void aSingleRowThatIsNotThereGets404() throws Exception {
        assertThat(problem(gateway().get("/customers/100000"), 404)).isEqualTo("no such row");
    }

    @Test
    default void noRowsAreAnEmptyArray() throws Exception {
        assertThat(ok(gateway().get("/customers?country=XX"))).isEqualTo("[]");
    }

    @Test
    default void theArrayEndsAtTheRowLimitWhichTheAnswerTells() throws Exception {
        HttpResponse<String> answer = gateway().get("/customers?country=US");

        assertThat(JSON.readTree(ok(answer)).size()).isEqualTo(3);
        assertThat(answer.headers().firstValue("row-limit")).hasValue("3");
    }

    @Test
    default void columnsWithOneNameAreAnError() throws Exception {
        assertThat(problem(gateway().get("/same-names"), 500))
                .isEqualTo("internal error; search the log for the requestId");
    }

    @Test
    default void optionsNamesTheMethodsOfItsPath() throws Exception {
        HttpResponse<String> answer = send("OPTIONS", "/customers", null);

        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(answer.headers().firstValue("allow").orElse("").split(", "))
                .contains("GET", "HEAD", "OPTIONS").doesNotContain("DELETE");
    }

    @Test
    default void headAnswersTheHeadAlone() throws Exception {
        HttpResponse<String> answer = send("HEAD", "/customers?country=US", null);

        assertThat(ok(answer)).isEmpty();
        assertThat(answer.headers().firstValue("row-limit")).hasValue("3");
    }
}
