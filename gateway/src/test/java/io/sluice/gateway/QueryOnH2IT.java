package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Query routes on H2, the database of the demo. */
class QueryOnH2IT extends QueryContract {
    private static final String DATABASE = """
            sluice.databases.%s {
              url = "jdbc:h2:mem:contract;MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE"
              user = sluice
            }
            """;

    @Override
    String ownConfig() {
        return DATABASE.formatted("main") + DATABASE.formatted("one")
                + "include classpath(\"query-h2.conf\")\n";
    }

    @Override
    public String everyType() {
        return """
            {"a_boolean":true,
            "a_smallint":-32768,
            "an_integer":2147483647,
            "a_bigint":9223372036854775807,
            "a_real":0.1,
            "a_float":0.1,
            "a_double":0.1,
            "not_a_number":"NaN",
            "infinite":"-Infinity",
            "a_numeric":12.50,
            "a_decfloat":1E+100000,
            "decfloat_nan":"NaN",
            "a_varchar":"it's",
            "a_char":"ab  ",
            "a_clob":"long",
            "a_date":"2026-01-31",
            "a_time":"10:00:00.5",
            "a_timetz":"10:00:00+02:00",
            "a_timestamp":"2026-01-31T10:00:00",
            "a_timestamptz":"2026-01-31T08:00:00Z",
            "a_uuid":"123e4567-e89b-12d3-a456-426614174000",
            "a_json":{"a":[1,null]},
            "a_varbinary":"3q2+7w==",
            "an_interval":"PT26H",
            "months":"P1Y2M",
            "a_blob":"AP8=",
            "an_array":[1,null],
            "nested":[["a"],["b"]],
            "timestamps":["2026-01-31T10:00:00"],
            "binaries":["3g=="],
            "no_elements":[]}""";
    }

    @Test
    void aTimeThatIsHandedOnKeepsItsValue() throws Exception {
        assertThat(ok(gateway().post("/one/handed-on", ""))).isEqualTo("{\"at\":\"10:00:00.123456\","
                + "\"local\":\"2026-03-29T02:30:00.123456\",\"old\":\"1582-10-10\"}");
    }

    /**
     * H2 keeps the cancel flag with a statement in its cache, and cancels the statement when it is reused.
     */
    @Test
    void lateCancelDoesNotAffectTheNextExecution() throws Exception {
        ok(gateway().post("/items", "{\"name\":\"pump\"}"));

        assertThat(problem(send("PATCH", "/one/change-slowly?ms=1500", null), 504))
                .isEqualTo("the response was not ready within its time limit");
        await().until(() -> running() == 0);

        assertThat(ok(gateway().get("/items"))).isEqualTo("[{\"name\":\"pump\",\"price\":1.00}]");
        for (int i = 0; i < 200; i++) {
            assertThat(ok(send("PATCH", "/one/change-later?ms=0", null))).isEqualTo("{\"updated\":1}");
        }
    }

    /** A part would be taken for the whole (RFC 9110 section 14.5). */
    @Test
    void aPutOfAPartIsRefused() throws Exception {
        HttpResponse<String> answer = gateway().send(gateway().request("/put/n")
                .PUT(BodyPublishers.noBody()).header("Content-Range", "bytes 0-9/20"));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(
                "Content-Range: bytes 0-9/20 (expected: none, as this route takes whole bodies)");
    }
}
