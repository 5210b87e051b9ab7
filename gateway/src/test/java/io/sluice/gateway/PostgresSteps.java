package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps of a transaction on PostgreSQL, whose driver sends batches and values in its own ways. */
interface PostgresSteps extends QuerySubject {

    /** The driver changes how it reads rows at about the sixth execution of a statement. */
    @Test
    default void aColumnThatIsHandedOnKeepsItsType() throws Exception {
        for (int i = 0; i < 7; i++) {
            assertThat(ok(gateway().post("/one/handed-on", ""))).isEqualTo("{\"n\":1}");
        }
    }

    /** PostgreSQL runs a SELECT only as far as its rows are read. */
    @Test
    default void aStepRunsToItsEnd() throws Exception {
        assertThat(ok(gateway().post("/noted", ""))).isEqualTo("{\"n\":400,\"first_n\":1}");
    }

    /** Together they exceed the fetch buffer of 2 MiB; also when the rows before them were narrow. */
    @ParameterizedTest
    @ValueSource(strings = {"3/900000", "300/10", "80/40000", "3/900000", "300/10"})
    default void wideRowsOfAStepAreFetchedOneByOne(String rows) throws Exception {
        assertThat(ok(gateway().post("/wide-step/" + rows, ""))).isEqualTo("{\"n\":1}");
    }

    /** PostgreSQL refuses two of a key in one INSERT, as which the driver sends a batch. */
    @Test
    default void elementsWithTheSameKeyAreUpsertedOneAfterAnother() throws Exception {
        assertThat(ok(gateway().post("/upserted-notes",
                "{\"notes\":[{\"text\":\"a\"},{\"text\":\"a\"},{\"text\":\"b\"}]}"))).isEqualTo("{\"n\":2}");
        assertThat(ok(gateway().get("/written"))).isEqualTo("[{\"note\":\"a\",\"version\":2,\"n\":0},"
                + "{\"note\":\"b\",\"version\":1,\"n\":0}]");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
            n, "1", 204
            n, "2", 412
            x,    , 404
            """)
    default void aChangeBehindWithMayDependOnTheState(String note, String ifMatch, int status)
            throws Exception {
        gateway().post("/written-plain", "{\"note\":\"n\"}");
        var request = gateway().request("/written-with/" + note).method("PATCH", BodyPublishers.noBody());

        assertThat(gateway().send(ifMatch == null ? request : request.header("If-Match", ifMatch))
                .statusCode()).isEqualTo(status);
    }

    /** Such a timeout ends the connection, too. */
    @Test
    default void aTransactionThatTheDatabaseEndsGets504() throws Exception {
        assertThat(problem(gateway().post("/one/slow-transaction", ""), 504))
                .isEqualTo("the query took too long");
        ok(gateway().get("/one/quick"));
    }
}
