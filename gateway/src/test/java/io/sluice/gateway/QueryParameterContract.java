package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Contract of parameters: every type and source, missing and invalid values. */
interface QueryParameterContract extends QuerySubject {

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    private static String member(String text) {
        return JSON.writeValueAsString(Map.of("v", text));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {
        "long, -9223372036854775808, -9223372036854775808",
        "long, 42, 42",
        "decimal, 12.50, 12.5000",
        "decimal, -1e3, -1000.0000",
        "text, it's, `\"it's\"`",
        "text, ``, `\"\"`",
        "boolean, true, true",
        "boolean, false, false",
        "date, 2024-02-29, `\"2024-02-29\"`",
        "timestamp, 2026-01-31T10:00, `\"2026-01-31T10:00:00\"`",
        "timestamp, 2026-01-31T10:00:00.123456, `\"2026-01-31T10:00:00.123456\"`",
        "uuid, 123E4567-e89b-12d3-a456-426614174000, `\"123e4567-e89b-12d3-a456-426614174000\"`",
        "int, -2147483648, -2147483648",
        "double, 1.25e2, 125.0",
        "time, 10:00, `\"10:00:00\"`",
        "time, 23:59:59.999999, `\"23:59:59.999999\"`",
        "timestamptz, 2026-01-31T12:00:00+02:00, `\"2026-01-31T10:00:00Z\"`",
        "bytea, 3q2+7w==, `\"3q2+7w==\"`",
        "bytea, ``, `\"\"`",
    })
    default void everyTypeCanStandInThePathTheQueryStringAndTheBody(String type, String text, String json)
            throws Exception {
        String expected = "{\"v\":" + json + '}';

        if (!text.isEmpty()) {
            assertThat(ok(gateway().get("/path/" + type + '/' + encoded(text)))).isEqualTo(expected);
        }
        assertThat(ok(gateway().get("/query-string/" + type + "?v=" + encoded(text)))).isEqualTo(expected);
        assertThat(ok(gateway().post("/body/" + type, member(text)))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "long, 42, 42", "decimal, 12.50, 12.5000", "decimal, 1e2, 100.0000", "boolean, true, true",
        "text, 1.50, '\"1.50\"'", "text, false, '\"false\"'",
    })
    default void numbersAndBooleansOfABodyNeedNoQuotes(String type, String json, String answer)
            throws Exception {
        assertThat(ok(gateway().post("/body/" + type, "{\"v\":" + json + '}')))
                .isEqualTo("{\"v\":" + answer + '}');
    }

    /** In a query string a plus sign means a space. In a timestamp it stands for itself. */
    @ParameterizedTest
    @ValueSource(strings = {
        "2026-01-31T10:00:00Z", "2026-01-31T12:00:00+02:00", "2026-01-31T12:00:00%2B02:00",
        "2026-01-31T05:00:00-05:00",
    })
    default void aTimestampWithAnOffsetIsTheSameMomentEverywhere(String timestamp) throws Exception {
        assertThat(ok(gateway().get("/moment?at=" + timestamp)))
                .isEqualTo("{\"at\":\"2026-01-31T10:00:00Z\"}");
    }

    @Test
    default void aPlusInBase64StandsForItselfAndASpaceIsAMistakeElsewhere() throws Exception {
        assertThat(ok(gateway().get("/query-string/bytea?v=3q2+7w=="))).isEqualTo("{\"v\":\"3q2+7w==\"}");
        assertThat(problem(gateway().post("/body/bytea", "{\"v\":\"3q2 7w==\"}"), 400))
                .isEqualTo("v: 3q2 7w== (expected: base64, such as 3q2+7w==)");
    }

    @Test
    default void aTimestampWithoutOffsetIsOfTheTimeZoneOfItsDatabase() throws Exception {
        assertThat(ok(gateway().get("/moment?at=2026-01-31T10:00:00")))
                .isEqualTo("{\"at\":\"2026-01-31T10:00:00Z\"}");
        assertThat(ok(gateway().get("/one/moment?at=2026-01-31T10:00:00")))
                .isEqualTo("{\"at\":\"2026-01-31T04:30:00Z\"}");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {
        "long, abc, a whole number", "long, 1.0, a whole number", "long, ``, a whole number",
        "long, \u0663\u0664, a whole number", "decimal, \u0663.5, `a number, such as 12.50`",
        "long, 0x10, a whole number", "long, 1e3, a whole number",
        "long, 9223372036854775808, -9223372036854775808..9223372036854775807",
        "decimal, `1,5`, `a number, such as 12.50`", "decimal, NaN, `a number, such as 12.50`",
        "decimal, 1e999999999, `a number, such as 12.50`",
        "boolean, yes, true or false", "boolean, TRUE, true or false",
        "date, 2026-02-30, `a date, such as 2026-01-31`",
        "date, 31.01.2026, `a date, such as 2026-01-31`",
        "timestamp, 2026-01-31, `a timestamp, such as 2026-01-31T10:00:00 or 2026-01-31T10:00:00Z`",
        "int, 2147483648, -2147483648..2147483647",
        "double, 1e999, `a number, such as 12.5`",
        "time, 10:00Z, `a time, such as 10:00:00`",
        "timestamptz, 2026-01-31T10:00:00, `a timestamp with an offset, such as 2026-01-31T10:00:00Z`",
        "bytea, 3q2+7w, `base64, such as 3q2+7w==`",
        "uuid, 1-1-1-1-1, `a UUID, such as 123e4567-e89b-12d3-a456-426614174000`",
    })
    default void valueOfAnotherTypeGets400WithValueAndExpectation(String type, String text, String expected)
            throws Exception {
        String detail = "v: %s (expected: %s)".formatted(text, expected);

        if (!text.isEmpty()) {
            assertThat(problem(gateway().get("/path/" + type + '/' + encoded(text)), 400)).isEqualTo(detail);
        }
        assertThat(problem(gateway().get("/query-string/" + type + "?v=" + encoded(text)), 400))
                .isEqualTo(detail);
        assertThat(problem(gateway().post("/body/" + type, member(text)), 400)).isEqualTo(detail);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v=%ff", "v=%C0%AF", "v=%ED%A0%80", "v=a&w=%E2%82", "v=%zz", "%ff=1&v=a"})
    default void aQueryThatIsNotUtf8Gets400(String query) throws Exception {
        try (RawClient client = gateway().connect()) {
            RawClient.Answer answer = client.send("GET /query-string/text?" + query
                    + " HTTP/1.1\r\nHost: a\r\n\r\n").read();
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("a broken percent-encoding, or bytes that are not UTF-8");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "long, a whole number", "decimal, 'a number, such as 12.50'", "text, a text",
        "boolean, true or false", "date, 'a date, such as 2026-01-31'",
        "timestamp, 'a timestamp, such as 2026-01-31T10:00:00 or 2026-01-31T10:00:00Z'",
        "uuid, 'a UUID, such as 123e4567-e89b-12d3-a456-426614174000'",
    })
    default void missingOrNullParameterGets400(String type, String expected) throws Exception {
        String detail = "v: missing (expected: " + expected + ')';

        assertThat(problem(gateway().get("/query-string/" + type + "?w=1"), 400)).isEqualTo(detail);
        assertThat(problem(gateway().post("/body/" + type, "{\"w\":1}"), 400)).isEqualTo(detail);
        assertThat(problem(gateway().post("/body/" + type, "{\"v\":null}"), 400))
                .isEqualTo(detail.replace("missing", "null"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20_000}) // small bodies are read by the event loop, large ones by a worker
    default void allMistakesOfARequestAreInOne400(int padding) throws Exception {
        String target = "/mistakes/x?limit=1.5&days=1&days=2&days=z";
        HttpResponse<String> answer = gateway().send(gateway().request(target)
                .header("X-Tenant", "blue").POST(BodyPublishers.ofString("{\"lines\":[1,null,\"a\"],"
                        + "\"quantity\":{},\"note\":null,\"other\":[]" + " ".repeat(padding) + "}")));

        assertThat(problem(answer, 400)).isEqualTo("id: x (expected: a whole number) (and 8 more)");
        JsonNode problem = JSON.readTree(answer.body());
        assertThat(problem.get("type").asString()).isEqualTo("urn:sluice:problem:invalid-request");
        assertThat(problem.get("instance").asString())
                .isEqualTo("urn:sluice:request:" + problem.get("requestId").asString());
        assertThat(problem.get("errors").valueStream().map(JsonNode::toString)).containsExactlyInAnyOrder(
                "{\"parameter\":\"id\",\"detail\":\"x (expected: a whole number)\"}",
                "{\"parameter\":\"limit\",\"detail\":\"1.5 (expected: a whole number)\"}",
                "{\"parameter\":\"days\",\"detail\":\"z (expected: a whole number)\"}",
                "{\"parameter\":\"x-tenant\",\"detail\":\"blue (expected: a whole number)\"}",
                "{\"pointer\":\"#/lines/1\",\"detail\":\"null (expected: a whole number)\"}",
                "{\"pointer\":\"#/lines/2\",\"detail\":\"a (expected: a whole number)\"}",
                "{\"pointer\":\"#/quantity\",\"detail\":\"{ (expected: a text, number, boolean or null)\"}",
                "{\"pointer\":\"#/note\",\"detail\":\"null (expected: a text)\"}",
                "{\"pointer\":\"#/other\",\"detail\":\"[ (expected: a text, number, boolean or null)\"}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            application/json                  | []     | a JSON object
            application/x-www-form-urlencoded | note=% | a form with two hexadecimal digits behind each %
            """)
    default void aMalformedBodyIsOneOfTheMistakes(String type, String body, String expected)
            throws Exception {
        for (int padding : new int[] {0, 20_000}) {
            HttpResponse<String> answer = gateway().send(gateway().request("/mistakes/x?limit=1.5&days=1")
                    .header("X-Tenant", "1").header("Content-Type", type)
                    .POST(BodyPublishers.ofString(" ".repeat(padding) + body)));

            assertThat(problem(answer, 400)).isEqualTo("id: x (expected: a whole number) (and 2 more)");
            assertThat(JSON.readTree(answer.body()).get("errors")).hasToString(
                    "[{\"parameter\":\"id\",\"detail\":\"x (expected: a whole number)\"},"
                            + "{\"parameter\":\"limit\",\"detail\":\"1.5 (expected: a whole number)\"},"
                            + "{\"pointer\":\"#\",\"detail\":\"body (expected: " + expected + ")\"}]");
        }
    }

    @Test
    default void aLongWrongValueIsShortenedWhereItIsRepeated() throws Exception {
        assertThat(problem(gateway().get("/query-string/long?v=" + encoded("\uD83D\uDE00".repeat(300))), 400))
                .isEqualTo("v: " + "\uD83D\uDE00".repeat(100) + "… (expected: a whole number)");
        assertThat(problem(gateway().post("/body/decimal", member("1".repeat(1500))), 400))
                .isEqualTo("v: " + "1".repeat(100) + "… (expected: a number, such as 12.50)");
    }

    @Test
    default void missingParameterGetsItsDefault() throws Exception {
        assertThat(ok(gateway().get("/default"))).isEqualTo("{\"a_long\":7,\"a_decimal\":1.50,"
                + "\"a_text\":\"it's\",\"a_boolean\":true,\"a_date\":\"2026-01-31\","
                + "\"a_timestamp\":\"2026-01-31T10:00:00\","
                + "\"a_uuid\":\"123e4567-e89b-12d3-a456-426614174000\"}");
        assertThat(ok(gateway().get("/default?long=-1&text=&date=2000-01-01")))
                .contains("\"a_long\":-1,", "\"a_text\":\"\"", "\"a_date\":\"2000-01-01\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"text\":null,\"boolean\":null,\"uuid\":null}"})
    default void missingOptionalParameterIsNull(String body) throws Exception {
        assertThat(ok(gateway().post("/optional", body))).isEqualTo("{\"a_long\":null,\"a_decimal\":null,"
                + "\"a_text\":null,\"a_boolean\":null,\"a_date\":null,\"a_timestamp\":null,\"a_uuid\":null}");
    }

    /** Drivers change how they send parameters at about the sixth execution of a statement. */
    @ParameterizedTest
    @CsvSource({
        "long, 2, 3", "decimal, 2.5, 3", "text, it's, its", "boolean, true, false",
        "date, 2026-01-31, 2026-02-01", "timestamp, 2026-01-31T10:00, 2026-01-31T10:01",
        "timestamp, 2026-01-31T04:30:00Z, 2026-01-31T10:00:00Z",
        "uuid, 123e4567-e89b-12d3-a456-426614174000, 00000000-0000-0000-0000-000000000000",
        "int, 2, 3", "double, 2.5, 3", "time, 10:00, 10:01",
        "timestamptz, 2026-01-31T08:00:00Z, 2026-01-31T10:00:00Z", "bytea, YWJj, YWJk",
    })
    default void optionalParameterFiltersIfPresent(String type, String same, String other)
            throws Exception {
        String path = "/narrowed/" + type;
        for (int i = 0; i < 7; i++) {
            assertThat(ok(gateway().get(path))).isEqualTo("{\"found\":1}");
        }
        for (int i = 0; i < 7; i++) {
            assertThat(ok(gateway().get(path + "?v=" + encoded(same)))).isEqualTo("{\"found\":1}");
            assertThat(ok(gateway().get(path + "?v=" + encoded(other)))).isEqualTo("{\"found\":0}");
            assertThat(ok(gateway().get(path))).isEqualTo("{\"found\":1}");
        }
    }

    @Test
    default void aNameThatStandsTwiceIsBoundTwice() throws Exception {
        assertThat(ok(gateway().get("/twice?a=1&b=10"))).isEqualTo("{\"result\":19}");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "'; DROP TABLE customers; --", "' OR '1'='1", "\" OR 1=1", "\\'; SELECT 1; --",
        "1); DELETE FROM customers",
        "$$", "$1", "?", ":name", ":v", "/* */", "%", "_", "{ts '2026-01-31'}", "{fn now()}",
    })
    default void injectedSqlIsJustAText(String text) throws Exception {
        assertThat(ok(gateway().get("/customers/named?name=" + encoded(text)))).isEqualTo("{\"found\":0}");
        assertThat(ok(gateway().post("/body/text", member(text)))).isEqualTo(member(text));
        assertThat(problem(gateway().get("/customers/" + encoded(text)), 400)).startsWith("id: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "Björn Chloé", "日本語", "שלום", "\uD83D\uDE00 \uD83D\uDC69\u200D\uD83D\uDCBB",
        "' \" ` \\ / ´ ’", "a\tb\nc\r\nd", "\u0001\u001F\u007F", "\u2028\u2029", "100%+x&y=z;#?", "e\u0301",
    })
    default void unicodeAndQuotesComeBackAsTheyWere(String text) throws Exception {
        assertThat(ok(gateway().get("/query-string/text?v=" + encoded(text)))).satisfies(same(text));
        assertThat(ok(gateway().post("/body/text", member(text)))).satisfies(same(text));
        if (text.codePoints().noneMatch(Character::isISOControl)) {
            assertThat(ok(gateway().get("/path/text/" + encoded(text)))).satisfies(same(text));
        }
    }

    private static org.assertj.core.api.ThrowingConsumer<String> same(String text) {
        return body -> assertThat(JSON.readTree(body).path("v").asString()).isEqualTo(text);
    }
}
