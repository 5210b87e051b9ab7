package io.sluice.gateway.mariadb;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The core of query routes with MariaDB, whose driver users bring. */
class QueryOnMariadbIT {
    private static final String CONFIG = """
            include classpath("query-mariadb.conf")
            sluice.databases.shop.url = "%1$s"
            sluice.databases.kolkata.url = "%1$s"
            sluice.databases.tokyo.url = "%1$s"
            """;

    private static MariadbProcess mariadb;
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        mariadb = MariadbProcess.startOrSkip();
        try (var connection = DriverManager.getConnection(mariadb.url(), "sluice", "s3cret");
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE items (id BIGINT PRIMARY KEY, name VARCHAR(20) NOT NULL, "
                    + "price DECIMAL(10, 2) CHECK (price >= 0), since DATE)");
            statement.execute("CREATE SEQUENCE numbers");
            statement.execute("CREATE TABLE parts (id BIGINT PRIMARY KEY, label VARCHAR(20), "
                    + "weight DOUBLE, made DATETIME, is_on BOOLEAN, big BIGINT NOT NULL, "
                    + "version BIGINT NOT NULL DEFAULT 1, state ENUM('new', 'used'), huge BIGINT UNSIGNED, "
                    + "price DECIMAL(25, 2), light FLOAT, bits BIT(8), built YEAR, code VARBINARY(8))");
            statement.execute("CREATE TRIGGER refuse BEFORE INSERT ON parts FOR EACH ROW IF NEW.id = 4500 "
                    + "THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'secret'; END IF");
            statement.execute("INSERT INTO parts SELECT seq, "
                    + "IF(seq % 4 = 0, NULL, CONCAT('part ', seq % 5)), seq / 2, "
                    + "DATE_ADD('2026-01-31', INTERVAL seq HOUR), seq % 2 = 0, "
                    + "9007199254740990 + seq, 1, NULL, 18446744073709551595 + seq, "
                    + "12345678901234567 + seq / 100, seq / 10, seq, 2000 + seq, "
                    + "UNHEX(CONCAT('FF', LPAD(HEX(seq), 2, '0'))) FROM seq_1_to_20");
        }
        gateway = RunningGateway.start(CONFIG.formatted(mariadb.url()));
    }

    @AfterAll
    static void stop() throws Exception {
        if (gateway != null) {
            gateway.close();
        }
        if (mariadb != null) {
            mariadb.close();
        }
    }

    private static String ok(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static HttpResponse<String> patch(String target, String body) throws Exception {
        return gateway.send(gateway.request(target).method("PATCH",
                HttpRequest.BodyPublishers.ofString(body)));
    }

    private static int running() throws Exception {
        return Integer.parseInt(ok(gateway.get("/running")).replaceAll("\\D", ""));
    }

    @Test
    void aTimeThatIsHandedOnKeepsItsValue() throws Exception {
        assertThat(ok(gateway.post("/handed-on", ""))).isEqualTo("{\"at\":\"10:00:00.123456\","
                + "\"span\":\"36:15:00\",\"less\":\"-02:00:00\","
                + "\"local\":\"2026-03-29T02:30:00.123456\",\"found\":1}");
    }

    @Test
    void typesAreJson() throws Exception {
        assertThat(ok(gateway.get("/types"))).isEqualTo("{\"an_int\":1,\"a_bigint\":9223372036854775807,"
                + "\"a_decimal\":12.50,\"a_double\":1.5,\"a_text\":\"it's\",\"a_date\":\"2026-01-31\","
                + "\"a_timestamp\":\"2026-01-31T10:00:00\",\"a_null\":null,\"a_binary\":\"/w==\","
                + "\"a_time\":\"10:00:00.5\",\"a_negative\":\"-02:00:00\",\"a_span\":\"36:15:00\","
                + "\"an_unsigned\":18446744073709551615,\"variable\":7}");
        assertThat(ok(gateway.get("/pages?built=2007"))).endsWith("\"built\":2007,\"code\":\"/wc=\"}]");
    }

    @Test
    void changesAreCountedAndConflictsAreTold() throws Exception {
        String item = "{\"id\":7,\"name\":\"pump\",\"price\":9.5,\"since\":\"2026-01-31\"}";
        assertThat(ok(gateway.post("/items", item))).isEqualTo("{\"updated\":1}");
        assertThat(ok(gateway.get("/items/7")))
                .isEqualTo("{\"id\":7,\"name\":\"pump\",\"price\":9.50,\"since\":\"2026-01-31\"}");
        assertThat(gateway.post("/items", item).statusCode()).isEqualTo(409);
        assertThat(ok(gateway.post("/items", "{\"id\":8,\"name\":\"it's :x?\"}")))
                .isEqualTo("{\"updated\":1}");
        assertThat(ok(gateway.get("/items/8")))
                .isEqualTo("{\"id\":8,\"name\":\"it's :x?\",\"price\":null,\"since\":null}");
        assertThat(gateway.post("/items", "{\"id\":9,\"name\":\"" + "x".repeat(21) + "\"}").statusCode())
                .isEqualTo(422);
        assertThat(gateway.post("/items", "{\"id\":9,\"name\":\"a\",\"price\":-1}").statusCode())
                .isEqualTo(409);
        assertThat(ok(patch("/items/8", "{\"name\":\"valve\"}"))).isEqualTo("{\"updated\":1}");
        assertThat(gateway.get("/items/9").statusCode()).isEqualTo(404);
    }

    @Test
    void rowsAreStreamed() throws Exception {
        assertThat(ok(gateway.get("/many")).split("\\{\"seq\":")).hasSize(100_001);
    }

    @Test
    void aStatementEndsWithItsDeadlineAndWithItsClient() throws Exception {
        ok(gateway.post("/items", "{\"id\":1,\"name\":\"before\"}"));
        assertThat(gateway.get("/slow").statusCode()).isEqualTo(504);
        await().atMost(ofMinutes(1)).until(() -> running() == 0);
        assertThat(ok(gateway.get("/items/1"))).contains("\"before\"");

        try (RawClient client = gateway.connect()) {
            client.send("GET /long HTTP/1.1\r\nHost: x\r\n\r\n");
            await().atMost(ofMinutes(1)).until(() -> running() == 1);
        }
        await().atMost(ofMinutes(1)).until(() -> running() == 0);
    }

    private static List<Integer> walk(String first) throws Exception {
        var ids = new ArrayList<Integer>();
        for (String target = first; target != null; ) {
            HttpResponse<String> page = gateway.get(target);
            Pattern.compile("\"id\":(\\d+)").matcher(ok(page)).results()
                    .forEach(id -> ids.add(Integer.valueOf(id.group(1))));
            target = page.headers().firstValue("link")
                    .map(link -> link.replaceAll("^<(.*)>; rel=\"next\"$", "$1")).orElse(null);
        }
        return ids;
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "label", "-label", "weight", "-weight", "made", "is_on", "-is_on", "-big",
        "price", "-price"})
    void pagesLeadThroughAllRows(String sort) throws Exception {
        String order = sort.equals("id") ? "" : "&sort=" + sort;
        List<Integer> whole = walk("/pages?limit=50" + order);

        assertThat(whole).hasSize(20).doesNotHaveDuplicates();
        assertThat(walk("/pages?limit=3" + order)).isEqualTo(whole);
        assertThat(gateway.get("/pages").headers().firstValue("x-total-count")).hasValue("20");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            id[ge]=18                            | 18,19,20
            id[in]=3,5,99&most=4                 | 3
            label=part 1                         | 1,6,11
            label[like]=%%3&id[lt]=5             | 3
            weight[ge]=9.5                       | 19,20
            built=2007                           | 7
            built[gt]=2018                       | 19,20
            built[gt]=0&id[lt]=3                 | 1,2
            code=/wc=                            | 7
            code[ge]=/xM=                        | 19,20
            made[lt]=2026-01-31T02:00:00         | 1
            made[lt]=2026-01-31 02:00:00         | 1
            is_on=true&id[lt]=5                  | 2,4
            huge[ge]=18446744073709551614        | 19,20
            big=9007199254740993                 | 3
            price=12345678901234567.07           | 7
            light=0.7                            | 7
            light[in]=0.1,1.9                    | 1,19
            """)
    void rowsAreFiltered(String query, String ids) throws Exception {
        assertThat(walk("/pages?" + query.replace("%%", "%25").replace("[", "%5B").replace("]", "%5D")
                .replace(" ", "%20"))).hasToString('[' + ids.replace(",", ", ") + ']');
    }

    /** Rows would be repeated or skipped. */
    @ParameterizedTest
    @ValueSource(strings = {"light", "-bits"})
    void pagesInTheOrderOfAColumnWithoutAnExactTextAreRefused(String sort) throws Exception {
        assertThat(gateway.get("/pages?sort=" + sort).statusCode()).isEqualTo(500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"02:00:00Z", "05:00:00+03:00", "05:00:00%2B03:00"})
    void aTimeWithAnOffsetIsThatMoment(String time) throws Exception {
        assertThat(walk("/pages?made%5Blt%5D=2026-01-31T" + time)).containsExactly(1);
    }

    /** The zone of the JVM is of no importance. In Tokyo, a variable of the session overrides the zone. */
    @ParameterizedTest
    @CsvSource({"/moment, 10:00:00", "/moment, 10:00:00Z", "/moment, 12:00:00%2B02:00", "/kolkata, 15:30:00",
        "/kolkata, 10:00:00Z", "/kolkata, 12:00:00%2B02:00", "/tokyo, 19:00:00"})
    void aTimestampWithoutOffsetIsOfTheTimeZoneOfItsDatabase(String path, String time) throws Exception {
        assertThat(ok(gateway.get(path + "?at=2026-01-31T" + time))).isEqualTo("{\"seconds\":0}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"is_on=NaN", "id%5Bge%5D=infinity", "weight%5Bge%5D=NaN", "made%5Blt%5D=infinity",
        "huge%5Bge%5D=x"})
    void aValueThatMariadbWouldTakeForAnotherIs400(String query) throws Exception {
        assertThat(gateway.get("/pages?" + query).statusCode()).isEqualTo(400);
    }

    @Test
    void aValueThatIsNoneOfItsColumnIs400() throws Exception {
        HttpResponse<String> answer = gateway.get("/pages?id%5Bge%5D=x&is_on=maybe&most=m&limit=0");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("\"id[ge]\"", "\"is_on\"", "\"most\"", "\"limit\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", quoteCharacter = '`', textBlock = """
            If-Match      | "1" | 200
            If-Match      | "2" | 412
            If-None-Match | *   | 400
            X-None        | -   | 200
            """)
    void aChangeMayDependOnTheState(String header, String value, int status) throws Exception {
        try (var connection = DriverManager.getConnection(mariadb.url(), "sluice", "s3cret");
                var statement = connection.createStatement()) {
            statement.execute("UPDATE parts SET version = 1 WHERE id = 20");
        }
        var change = gateway.request("/parts/20").method("PATCH",
                HttpRequest.BodyPublishers.ofString("{\"label\":\"part 0\"}"));

        HttpResponse<String> answer = gateway.send(change.header(header, value == null ? "x" : value));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(gateway.get("/parts/20").headers().firstValue("etag"))
                .hasValue(status == 200 ? "\"2\"" : "\"1\"");
    }

    /** One violates a constraint, and one inserts nothing. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "/lines | {\"id\":1,\"lines\":[{\"id\":51},{\"id\":52},{\"id\":7},{\"id\":53}]} | #/lines/2",
        "/new-parts | {\"parts\":[{\"id\":201},{\"id\":7}]} | #/parts/1"})
    void theElementThatConflictsIsNamed(String target, String body, String pointer) throws Exception {
        HttpResponse<String> answer = gateway.post(target, body);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
        assertThat(answer.body()).contains('"' + pointer + '"');
    }

    /** A value of another type, and one that a trigger refuses. */
    @ParameterizedTest
    @CsvSource({"62, x, a value does not fit", "4500, used, refused by a rule of the database"})
    void theElementWithAValueThatIsRefusedIsNamed(int id, String state, String detail) throws Exception {
        HttpResponse<String> answer = gateway.post("/lines", """
                {"id":1,"lines":[{"id":61,"state":"used"},{"id":%d,"state":"%s"}]}""".formatted(id, state));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
        assertThat(answer.body()).contains("\"#/lines/1\"", detail).doesNotContain("secret");
    }

    @Test
    void aLockThatIsHeldTooLongIsWorthAnotherTry() throws Exception {
        try (var connection = DriverManager.getConnection(mariadb.url(), "sluice", "s3cret");
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("UPDATE parts SET weight = weight WHERE id = 20");

            HttpResponse<String> answer = patch("/parts/20", "{\"label\":\"locked\"}");

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
            assertThat(answer.headers().firstValue("retry-after")).isPresent();
            connection.rollback();
        }
    }

    @Test
    void aReadOnlyQueryCannotWrite() throws Exception {
        assertThat(gateway.get("/reads").statusCode()).isEqualTo(500);
        ok(gateway.get("/takes"));
    }

    @Test
    void aServerThatIsKilledIsUsedAgainWhenItIsBack() throws Exception {
        ok(gateway.get("/types"));

        mariadb.kill();
        await().atMost(ofMinutes(1)).until(() -> gateway.get("/types").statusCode() == 503);
        mariadb.start();

        await().atMost(ofMinutes(1)).until(() -> gateway.get("/types").statusCode() == 200);
    }
}
