package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract of statements that change rows: one transaction each. */
interface QueryChangeContract extends QuerySubject {

    @BeforeEach
    default void deleteItems() throws Exception {
        ok(send("DELETE", "/items", null));
    }

    private String items() throws Exception {
        return ok(gateway().get("/items"));
    }

    @Test
    default void changesAnswerHowManyRowsTheyChanged() throws Exception {
        assertThat(ok(gateway().post("/items", "{\"name\":\"pump\",\"price\":9.50}")))
                .isEqualTo("{\"updated\":1}");
        assertThat(ok(gateway().post("/items/pair", "{\"first\":\"a\",\"second\":\"b\"}")))
                .isEqualTo("{\"updated\":2}");
        assertThat(ok(send("PATCH", "/items?by=1", null))).isEqualTo("{\"updated\":3}");
        assertThat(items()).isEqualTo("[{\"name\":\"a\",\"price\":2.00},{\"name\":\"b\",\"price\":2.00},"
                + "{\"name\":\"pump\",\"price\":10.50}]");
        assertThat(ok(send("DELETE", "/items", null))).isEqualTo("{\"updated\":3}");
        assertThat(ok(send("DELETE", "/items", null))).isEqualTo("{\"updated\":0}");
    }

    @Test
    default void quotesAndUnicodeAreStoredAsTheyAre() throws Exception {
        ok(gateway().post("/items", "{\"name\":\"O'Neil; --\\\"\uD83D\uDE00\"}"));

        assertThat(items()).isEqualTo("[{\"name\":\"O'Neil; --\\\"\uD83D\uDE00\",\"price\":1.00}]");
    }

    @Test
    default void aConstraintThatIsBrokenGets409() throws Exception {
        ok(gateway().post("/items", "{\"name\":\"pump\"}"));

        for (String body : new String[] {
            "{\"name\":\"pump\"}", "{\"name\":null}", "{\"name\":\"valve\",\"price\":-1}",
            "{\"name\":\"valve\",\"customer\":100000}"}) {
            assertThat(problem(gateway().post("/items", body), 409))
                    .isEqualTo("conflicts with what is stored");
        }
        assertThat(items()).isEqualTo("[{\"name\":\"pump\",\"price\":1.00}]");
    }

    @Test
    default void aValueThatDoesNotFitItsColumnGets422() throws Exception {
        assertThat(problem(gateway().post("/items", "{\"name\":\"" + "a".repeat(21) + "\"}"), 422))
                .isEqualTo("a value does not fit");
        assertThat(problem(gateway().post("/items", "{\"name\":\"a\",\"price\":10000}"), 422))
                .isEqualTo("a value does not fit");
        assertThat(items()).isEqualTo("[]");
    }

    @Test
    default void aStatementThatFailsHalfwayChangesNothing() throws Exception {
        ok(gateway().post("/items", "{\"name\":\"b\"}"));

        problem(gateway().post("/items/pair", "{\"first\":\"a\",\"second\":\"b\"}"), 409);

        assertThat(items()).isEqualTo("[{\"name\":\"b\",\"price\":1.00}]");
    }

    @Test
    default void aClientThatGoesAwayBeforeTheEndOfTheAnswerHasChangedNothing() throws Exception {
        try (RawClient client = gateway().connect()) {
            client.send("POST /one/items HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
            assertThat(client.socket().getInputStream().read()).isEqualTo('H');
            client.socket().setSoLinger(true, 0);
        }

        await().until(() -> gateway().get("/one/quick").statusCode() == 200);
        assertThat(items()).isEqualTo("[]");
    }
}
