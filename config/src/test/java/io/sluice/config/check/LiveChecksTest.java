package io.sluice.config.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.HandlerConfig;
import io.sluice.config.HoconFile;
import io.sluice.config.topic.LiveConfig;
import io.sluice.config.topic.TopicTemplate;
import io.sluice.config.type.ByteSize;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveChecksTest {
    private static final String ROUTE = """
            sluice { offload.pools.p {}, topics.shop {}, databases.d { url = "jdbc:h2:mem:x", pool = p } }
            sluice.routes.x { path = "/x/{id}", handler = query, database = d, %s
              live { topics = shop, topic = "orders.{id}" } }
            """;
    private static final String SELECT =
            "sql = \"SELECT :id\", parameters.id { type = long }";

    @TempDir
    private Path directory;

    @Test
    void hasDefaults() {
        var query = (HandlerConfig.Query) new HoconFile(directory).load(ROUTE.formatted(SELECT)).routes()
                .get("x").handler();

        assertThat(query.live()).contains(new LiveConfig("shop", TopicTemplate.parse("orders.{id}"),
                Duration.ofSeconds(1), Duration.ofSeconds(15), new ByteSize(256 << 10), 500));
        assertThat(query.boundToTunnels()).isSameAs(query);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            sql = "SELECT 1" | .topic: {id} | the name of a parameter of the query in braces
            sql = "SELECT :id", parameters.id { type = bytea } | .topic: {id}, bytea \
            | a parameter of another type
            sql = "SELECT :id", parameters.id { type = long, required = false } | .topic: {id} \
            | a parameter that each request has, or with a default
            %, paging.key = [a] | : a page | no paging beside it, as a result is sent whole
            %, single = true, content-type = "text/plain" | : text/plain \
            | no content-type beside it, as events have JSON
            %, write-on-get = true, sql = "DELETE FROM a WHERE id = :id" | : DELETE \
            | a statement that only reads
            %, methods = [POST] | : [POST] | methods with GET, as of a client of server-sent events
            """)
    void invalidLiveKeysAreReportedWithTheirLine(String keys, String problem, String expected) {
        assertThat(new HoconFile(directory).problems(ROUTE.formatted(keys.replace("%", SELECT))))
                .containsExactly("main.conf:3: sluice.routes.x.live" + problem + " (expected: " + expected
                        + ')');
    }

    @Test
    void aParameterFromTheBodyIsNotOfAStream() {
        assertThat(new HoconFile(directory).problems(ROUTE.formatted("methods = [GET, POST], "
                + SELECT + ", sql = \"SELECT :id, :b\", parameters.b { type = long, from = body }")))
                .contains("main.conf:3: sluice.routes.x.live: b from the body (expected: parameters of a "
                        + "request without a body)");
    }

    @Test
    void itsTopicsHaveToBeThere() {
        assertThat(new HoconFile(directory).problems(ROUTE.formatted(SELECT).replace("topics.shop {}, ", "")))
                .singleElement().asString().startsWith("main.conf:3: sluice.routes.x.live.topics: shop");
    }
}
