package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are repeated with the same Idempotency-Key. */
interface QueryKeyContract extends QuerySubject {
    String REPLAYED = "idempotent-replayed";

    @BeforeEach
    default void removeKeys() throws Exception {
        ok(send("DELETE", "/keys", null));
        ok(send("DELETE", "/written", null));
    }

    private HttpRequest.Builder post(String target) {
        return gateway().request(target).POST(BodyPublishers.noBody());
    }

    private HttpResponse<String> post(String target, String key) throws Exception {
        return gateway().send(post(target).header("Idempotency-Key", key));
    }

    private int orders() throws Exception {
        return JSON.readTree(ok(gateway().get("/written"))).size();
    }

    @Test
    default void aRequestThatIsRepeatedHasTheSameAnswerAndNoOtherEffect() throws Exception {
        HttpResponse<String> first = post("/once/a", "\"k 1\"");
        assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
        assertThat(first.headers().firstValue(REPLAYED)).isEmpty();

        for (int i = 0; i < 3; i++) {
            HttpResponse<String> again = post("/once/a", "\"k 1\"");
            assertThat(again.statusCode()).as(again.body()).isEqualTo(201);
            assertThat(again.body()).isEqualTo(first.body()).contains("\"v\":1");
            assertThat(again.headers().firstValue(REPLAYED)).hasValue("true");
            for (String name : new String[] {"location", "etag", "content-type", "vary"}) {
                assertThat(again.headers().firstValue(name)).as(name).isPresent()
                        .isEqualTo(first.headers().firstValue(name));
            }
        }
        assertThat(orders()).isEqualTo(1);

        assertThat(problem(post("/once/b", "\"k 1\""), 422)).startsWith("Idempotency-Key: used before");
        assertThat(problem(post("/once/a", "k1"), 409)).isEqualTo("conflicts with what is stored");
        assertThat(problem(gateway().send(post("/once/a").header("Idempotency-Key", "\"k 1\"")
                .header("Authorization", "Bearer alice")), 409)).isEqualTo("conflicts with what is stored");
        assertThat(orders()).isEqualTo(1);
    }

    @Test
    default void anErrorIsNotKept() throws Exception {
        post("/once/a", "k1");
        problem(post("/once/a", "k2"), 409);
        ok(send("DELETE", "/written", null));

        assertThat(post("/once/a", "k2").statusCode()).isEqualTo(201);
        assertThat(post("/once/a", "k2").headers().firstValue(REPLAYED)).hasValue("true");
    }

    @Test
    default void aChangeWithoutAResultIsMadeOnce() throws Exception {
        post("/once/a", "k1");

        for (int i = 0; i < 8; i++) { // from the second one on, it is known that there is no result
            String key = "change-" + i / 2;
            assertThat(ok(gateway().send(gateway().request("/updated-once/a").method("PATCH",
                    BodyPublishers.noBody()).header("Idempotency-Key", key)))).isEqualTo("{\"updated\":1}");
        }

        assertThat(ok(gateway().get("/written"))).isEqualTo("[{\"note\":\"a\",\"version\":5,\"n\":0}]");
    }

    @Test
    default void aKeyMayBeRequiredAndItsAnswerIsBounded() throws Exception {
        assertThat(problem(gateway().send(post("/once-surely/a")), 400))
                .isEqualTo("Idempotency-Key: missing (expected: one text of 1..255 ASCII characters)");
        assertThat(post("/once-surely/a", "k").statusCode()).isEqualTo(500);
        assertThat(orders()).isZero();
        assertThat(ok(gateway().get("/keys"))).isEqualTo("{\"n\":0,\"answered\":0}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"", "\"\"", "\"a", "a b", "\"a\\b\"", "a\""})
    default void aMalformedKeyIsRefused(String key) throws Exception {
        int expected = key.equals("a\"") ? 201 : 400; // a text without quotes may contain one
        assertThat(post("/once/" + expected, key).statusCode()).isEqualTo(expected);
    }

    @Test
    default void aMalformedKeyIsOneOfTheMistakes() throws Exception {
        HttpResponse<String> answer = post("/number-once/x", "a b");

        assertThat(problem(answer, 400)).isEqualTo("n: x (expected: a whole number) (and 1 more)");
        assertThat(JSON.readTree(answer.body()).at("/errors/1")).hasToString("{\"parameter\":"
                + "\"Idempotency-Key\",\"detail\":\"a b (expected: one text of 1..255 ASCII characters)\"}");
    }

    /** RFC 9651 section 3.3.3: within a string, a backslash stands before quotes and backslashes. */
    @Test
    default void aKeyMayHaveEscapes() throws Exception {
        assertThat(post("/once/a", "\"a\\\"b\\\\\"").statusCode()).isEqualTo(201);
        assertThat(post("/once/a", "a\"b\\").headers().firstValue(REPLAYED)).hasValue("true");
    }

    @Test
    default void aKeyExpires() throws Exception {
        for (int i = 0; i < 3; i++) {
            post("/once/n" + i, "k" + i);
        }
        ok(send("PATCH", "/keys", null));
        ok(send("DELETE", "/written", null));

        HttpResponse<String> anew = post("/once/other", "k1");
        assertThat(anew.statusCode()).as(anew.body()).isEqualTo(201);
        assertThat(anew.headers().firstValue(REPLAYED)).isEmpty();

        for (int i = 0; i < 64; i++) {
            post("/once/m" + i, "m" + i);
        }
        assertThat(ok(gateway().get("/keys"))).isEqualTo("{\"n\":65,\"answered\":65}");
    }
}
