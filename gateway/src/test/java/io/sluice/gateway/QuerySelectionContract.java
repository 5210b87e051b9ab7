package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static io.sluice.gateway.QuerySubject.problem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract of the selection of rows by clients: pages, order and filters. */
interface QuerySelectionContract extends QuerySubject {

    static String next(HttpResponse<?> answer) {
        return answer.headers().firstValue("link")
                .map(link -> link.replaceAll("^<(.*)>; rel=\"next\"$", "$1")).orElse(null);
    }

    private static List<Integer> ids(HttpResponse<String> answer) {
        return StreamSupport.stream(JSON.readTree(ok(answer)).spliterator(), false)
                .map(row -> row.path("id").asInt()).toList();
    }

    private List<Integer> walk(String first) throws Exception {
        var ids = new ArrayList<Integer>();
        for (String target = first; target != null; ) {
            HttpResponse<String> page = gateway().get(target);
            ids.addAll(ids(page));
            target = next(page);
            assertThat(ids).as("pages in a circle").hasSizeLessThanOrEqualTo(2000);
        }
        return ids;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/pages?limit=700", "/pages?most=2000&limit=500"})
    default void pagesLeadThroughAllRowsInTheOrderOfTheKey(String first) throws Exception {
        assertThat(walk(first)).containsExactlyElementsOf(IntStream.rangeClosed(1, 2000).boxed().toList());
    }

    @Test
    default void aSortPrecedesTheKeyAndMayHaveAnotherDirection() throws Exception {
        List<Integer> down = walk("/pages?limit=700&sort=-status,customer_id&id[lt]=101");

        assertThat(down).hasSize(100).doesNotHaveDuplicates();
        assertThat(walk("/pages?limit=7&sort=-status,customer_id&id[lt]=101")).isEqualTo(down);
        assertThat(walk("/pages-down?limit=7&id[lt]=101"))
                .isEqualTo(walk("/pages-down?limit=700&id[lt]=101")).hasSize(100);
    }

    @Test
    default void theLinkKeepsTheRestOfTheQuery() throws Exception {
        HttpResponse<String> page = gateway().get("/pages?status=paid&x=%20a&&cursor=");
        assertThat(page.statusCode()).isEqualTo(400);

        page = gateway().get("/pages?status=paid&x=%20a");
        assertThat(ids(page)).isEqualTo(List.of(1, 6));
        assertThat(page.headers().firstValue("x-total-count")).hasValue("400");
        assertThat(page.headers().firstValue("row-limit")).isEmpty();
        assertThat(next(page)).matches("/pages\\?status=paid&x=%20a&cursor=[A-Za-z0-9_-]+");

        HttpResponse<String> second = gateway().get(next(page));
        assertThat(ids(second)).isEqualTo(List.of(11, 16));
        assertThat(next(second)).matches("/pages\\?status=paid&x=%20a&cursor=[A-Za-z0-9_-]+");
    }

    @Test
    default void theLinkOfAPathWithSeveralSlashesLeadsToNoOtherHost() throws Exception {
        assertThat(next(gateway().get("//pages?limit=2"))).startsWith("/pages?limit=2&cursor=");
    }

    @Test
    default void aCursorIsOfOneRouteAndOrder() throws Exception {
        String next = next(gateway().get("/pages"));
        String cursor = next.substring(next.indexOf("cursor="));
        char last = cursor.charAt(cursor.length() - 2);

        for (String wrong : List.of("/pages-down?" + cursor, next + "&sort=status", "/pages?cursor=x",
                "/pages?" + cursor.substring(0, cursor.length() - 2) + (last == 'A' ? "B" : "A")
                        + cursor.charAt(cursor.length() - 1))) {
            assertThat(problem(gateway().get(wrong), 400)).startsWith("cursor: ")
                    .endsWith(" (expected: one of a Link of this route, with the same sort)");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "701", "x", "-1", "99999999999"})
    default void aPageHasItsLargestLimit(String limit) throws Exception {
        assertThat(problem(gateway().get("/pages?limit=" + limit), 400))
                .isEqualTo("limit: " + limit + " (expected: 1..700)");
    }

    /** NULL sorts first in H2 and last in PostgreSQL, so the three NULLs begin or end the rows. */
    @ParameterizedTest
    @ValueSource(strings = {"name", "-name", "even", "-even"})
    default void rowsWithNullHaveTheirPlaceInPages(String sort) throws Exception {
        String target = "/pages-of-null?sort=" + sort + "&limit=";
        List<Integer> whole = walk(target + 60);

        assertThat(whole).hasSize(60).doesNotHaveDuplicates();
        for (int limit : List.of(2, 3, 57, 58, 59)) {
            assertThat(walk(target + limit)).as("limit %s", limit).isEqualTo(whole);
        }
    }

    /** The column is NOT NULL in its table, and NULL for 9 of the rows. */
    @ParameterizedTest
    @ValueSource(strings = {"name", "-name"})
    default void rowsThatAnOuterJoinExtendsByNullHaveTheirPlaceInPages(String sort) throws Exception {
        String target = "/pages-of-join?sort=" + sort + "&limit=";
        List<Integer> whole = walk(target + 100);

        assertThat(whole).hasSize(60).doesNotHaveDuplicates();
        for (int limit : List.of(3, 10, 51, 52)) {
            assertThat(walk(target + limit)).as("limit %s", limit).isEqualTo(whole);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes", "uuids"})
    default void theKeyOfPagesMayBeBytes(String type) throws Exception {
        assertThat(walk("/one/pages-of-" + type))
                .containsExactlyElementsOf(IntStream.rangeClosed(10, 40).boxed().toList());
    }

    @Test
    default void theLinkOfALargePageIsATrailer() throws Exception {
        try (RawClient client = gateway().connect()) {
            client.send("GET /wide-pages HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            String answer = new String(client.socket().getInputStream().readAllBytes(), UTF_8);

            assertThat(answer).containsIgnoringCase("\r\ntrailer: link\r\n");
            assertThat(answer).containsPattern(
                    "\r\n0\r\nlink: </wide-pages\\?cursor=[A-Za-z0-9_-]+>; rel=\"next\"\r\n\r\n$");
        }
    }

    /** The longest but one is the fifth row by name. */
    @Test
    default void aCursorOfALongTextIsRefused() throws Exception {
        String next = next(gateway().get("/long-pages?limit=5&sort=name"));
        assertThat(ok(gateway().get(next))).startsWith("[{\"n\":4,");
        assertThat(next(gateway().get("/long-pages?limit=6&sort=name"))).isNull();
        problem(gateway().get("/long-pages?limit=1&sort=-name"), 500);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            country=DE&id[le]=20&sort=id            | 6,12,18
            country[eq]=DE&id[lt]=12                | 6
            country[ne]=DE&id[lt]=7&sort=id         | 1,2,3,4,5
            country[in]=DE,FR,PL&id[lt]=8           | 7,6,2,1
            name[like]=Ada %&id[gt]=490             | 496
            name[like]=%5CAda %5C_%                 |
            name[like]=%5CA%5Cda %&id[gt]=490       | 496
            created_on[ge]=2025-08-22&id[lt]=400    | 323
            id[ge]=499                              | 500,499
            sort=-country,id&id[lt]=8               | 5,4,3,2,1,7,6
            country=%27 OR %271%27=%271             |
            """)
    default void rowsAreFilteredAndSorted(String query, String ids) throws Exception {
        String[] parts = query.split("&");
        for (int i = 0; i < parts.length; i++) {
            int end = parts[i].indexOf('=');
            parts[i] = URLEncoder.encode(parts[i].substring(0, end), UTF_8) + '='
                    + URLEncoder.encode(URI.create("/" + parts[i].substring(end + 1).replace(" ", "%20")
                    .replaceAll("%(?![0-9A-F])", "%25")).getPath().substring(1), UTF_8).replace("%2C", ",");
        }
        List<Integer> found = ids(gateway().get("/choice?" + String.join("&", parts)));

        assertThat(found.stream().map(String::valueOf)).containsExactly(
                ids == null ? new String[0] : ids.split(","));
    }

    /** RFC 6570 section 3.2.8, as clients do that are generated from the OpenAPI document. */
    @Test
    default void aCommaWithinAValueIsEncodedBesideOthers() throws Exception {
        assertThat(ids(gateway().get("/choice?country%5Bin%5D=D%45,FR%2CPL&id%5Ble%5D=8")))
                .containsExactly(6);
        assertThat(ids(gateway().get("/choice?=country%5Bin%5D=D%45,FR%2CPL&id%5Ble%5D=8")))
                .containsExactly(6);
        assertThat(ids(gateway().get("/choice?country%5Bin%5D=DE%2CFR&id%5Ble%5D=8")))
                .isEqualTo(ids(gateway().get("/choice?country%5Bin%5D=DE,FR&id%5Ble%5D=8")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sort=created_on | created_on
            sort=id,id      | id,id
            sort=id%3BDROP  | id;DROP
            sort=id,        | id,
            """)
    default void aSortByOtherColumnsIs400(String query, String shown) throws Exception {
        assertThat(problem(gateway().get("/choice?" + query), 400)).isEqualTo("sort: " + shown
                + " (expected: up to 3 of id, name, country, each once; -id for the largest first)");
    }

    @ParameterizedTest
    @CsvSource({"country%5Blike%5D=D%25, country[like]: D%", "name%5Bgt%5D=7, name[gt]: 7",
        "email%5Beq%5D=a, email[eq]: a"})
    default void aFilterThatIsNotAllowedIs400(String query, String shown) throws Exception {
        assertThat(problem(gateway().get("/choice?" + query), 400)).isEqualTo(shown
                + " (expected: a filter of country[eq], country[ne], country[in], id[lt], id[le], id[gt], "
                + "id[ge], name[like], created_on[ge])");
    }

    /** PostgreSQL refuses such a pattern only where a row matches up to its end. */
    @Test
    default void aPatternThatEndsWithinAnEscapeIs400() throws Exception {
        assertThat(problem(gateway().get("/choice?name%5Blike%5D=x%5C%5C%5C"), 400))
                .isEqualTo("name[like]: x\\\\\\ (expected: a pattern whose last \\ is doubled)");
    }

    @Test
    default void aBrokenQueryIs400() throws Exception {
        try (RawClient client = gateway().connect()) {
            assertThat(client.send("GET /choice?x=%zz HTTP/1.1\r\nHost: x\r\n\r\n").read().status())
                    .isEqualTo(400);
        }
    }

    /** The decoder drops others silently: a filter, an element, or the parameter of a proxy. */
    @ParameterizedTest
    @ValueSource(strings = {"/choice?", "/in?", "/customers/named?name=x&"})
    default void parametersBeyondTheirNumberAreRefused(String target) throws Exception {
        assertThat(problem(gateway().get(target + "x&".repeat(1023) + "ids=1&id%5Bge%5D=499"), 400))
                .isEqualTo("query (expected: at most 1024 parameters)");
        assertThat(ok(gateway().get("/in?" + "x&&".repeat(1023) + "ids=1"))).isEqualTo("[{\"id\":1}]");
    }

    @Test
    default void aSelectionIsGivenOnce() throws Exception {
        assertThat(problem(gateway().get("/choice?sort=id&sort=name"), 400))
                .isEqualTo("sort: 2 times (expected: at most once)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /choice     | id[ge]=x                | id[ge]: x (expected: a whole number)
            /choice     | id[ge]=                 | id[ge]:  (expected: a whole number)
            /choice     | created_on[ge]=soon | created_on[ge]: soon (expected: a date, such as 2026-01-31)
            /choice     | sort=x&id[lt]=y&id[ge]=1.5&created_on[ge]=soon | sort: x (expected: up to 3 of id, \
            name, country, each once; -id for the largest first), id[lt]: y (expected: a whole number), \
            id[ge]: 1.5 (expected: a whole number), \
            created_on[ge]: soon (expected: a date, such as 2026-01-31)
            /pages      | most=m&limit=0&cursor=c&id[ge]=9e9&x[eq]=1 | most: m (expected: a whole number), \
            x[eq]: 1 (expected: a filter of id[lt], id[ge], status[eq], status[in]), \
            limit: 0 (expected: 1..700), \
            cursor: c (expected: one of a Link of this route, with the same sort), \
            id[ge]: 9e9 (expected: a whole number)
            /every-type | an_int[in]=1,x,99999999999999999999 | an_int[in]: x (expected: a whole number), \
            an_int[in]: 99999999999999999999 (expected: -9223372036854775808..9223372036854775807)
            /every-type | a_double[lt]=1,5        | a_double[lt]: 1,5 (expected: a number, such as 12.50)
            /every-type | a_time=today            | a_time: today (expected: a timestamp, such as \
            2026-01-31T10:00:00 or 2026-01-31T10:00:00Z)
            /every-type | a_flag=NaN              | a_flag: NaN (expected: true or false)
            /every-type | an_int[lt]=infinity     | an_int[lt]: infinity (expected: a whole number)
            /every-type | a_flag=perhaps          | a_flag: perhaps (expected: true or false)
            /every-type | a_bytea=w6Q             | a_bytea: w6Q (expected: base64, such as 3q2+7w==)
            /every-type | a_uuid=1-2-3-4-5 | a_uuid: 1-2-3-4-5 (expected: a UUID, such as \
            123e4567-e89b-12d3-a456-426614174000)
            """)
    default void aValueThatIsNoneOfItsColumnIs400(String path, String query, String details)
            throws Exception {
        HttpResponse<String> answer = gateway().get(path + '?'
                + query.replace("[", "%5B").replace("]", "%5D"));

        assertThat(problem(answer, 400)).isNotEmpty();
        assertThat(JSON.readTree(answer.body()).get("errors").valueStream().map(error ->
                error.get("parameter").asString() + ": " + error.get("detail").asString())
                .toList()).containsExactlyInAnyOrder(details.split("(?<=\\)), "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"state=open", "an_int%5Blt%5D=%208", "a_double=1.50", "a_time%5Bge%5D=2026-01-30",
        "a_time=2026-01-31%2010:00:00", "a_time=2026-01-31T10:00:00", "a_time=2026-01-31%2012:00:00%2B02:00",
        "a_time=2026-01-31T12:00:00+02:00", "a_time=2026-01-31T10:00:00Z", "a_moment=2026-01-31T10:00:00",
        "a_moment%5Bin%5D=2026-01-31T12:00:00+02:00,2026-01-31,2026-01-31T10:00:00", "a_flag=true",
        "a_text=x", "a_double%5Blt%5D=NaN", "a_uuid=123e4567-e89b-12d3-a456-426614174000",
        "a_bytea=w6Q%3D", "a_bytea%5Bin%5D=w6Q%3D,AAA%3D", "a_date%5Bgt%5D=-0043-03-15",
        "a_date%5Blt%5D=%2B10000-01-01", "a_date%5Bgt%5D=0000-12-31", "a_date%5Bin%5D=1969-01-01,-0043-03-15",
        "a_time%5Bge%5D=-0043-03-15T10:00:00", "a_time%5Blt%5D=%2B10000-01-01T10:00:00Z",
        "a_time%5Bge%5D=0000-01-01", "a_time%5Bge%5D=0000-01-01%2010:00:00",
        "a_moment%5Bin%5D=2026-01-31T10:00:00Z,0000-01-01,0000-01-01%2010:00:00"})
    default void aValueMayHaveEveryFormOfItsType(String query) throws Exception {
        assertThat(ok(gateway().get("/every-type?" + query))).startsWith("[{\"an_int\":7,");
    }
}
