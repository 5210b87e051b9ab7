package io.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.topic.SourceConfig;
import io.sluice.config.topic.TopicTemplate;
import io.sluice.config.type.TableName;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceTest {
    private static final String SETTINGS = """
            sluice.offload.pools.main {}
            sluice.databases { shop { url = "jdbc:postgresql://db/shop", pool = main } }
            sluice.databases { cache { url = "jdbc:h2:mem:x", pool = main } }
            """;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            database = shop | .outbox: missing (expected: a table, or publication, slot and tables)
            database = cache, outbox = o | .database: cache (expected: one of PostgreSQL, whose url begins \
            with jdbc:postgresql:)
            database = none, outbox = o | .database: none (expected: one of cache, shop)
            outbox = o | .database: missing (expected: one of cache, shop)
            database = shop, outbox = "a.b.c" | .outbox: a.b.c (expected: a table, such as orders or \
            sales.orders)
            database = shop, outbox = "o;" | .outbox: o; (expected: a table, such as orders or sales.orders)
            database = shop, outbox = o, publication = p | .publication: p (expected: either outbox or \
            publication)
            database = shop, outbox = o, slot = s | .slot: s (expected: either outbox or slot)
            database = shop, publication = p, tables.t = x | .slot: missing (expected: the name of a \
            replication slot)
            database = shop, publication = p, slot = s | .tables: missing (expected: the topics of the \
            publication's tables, such as { orders = "orders.{id}" })
            database = shop, publication = p, slot = s, tables { "a b" = x } | .tables."a b": a b (expected: \
            a table, such as orders or sales.orders)
            database = shop, publication = p, slot = s, tables.t = "x.{}" | .tables.t: x.{} (expected: a \
            name between { and }, such as orders.{id})
            """)
    void invalidSourceKeysAreReported(String source, String problem) {
        assertThat(new HoconFile(directory).problems(
                SETTINGS + "sluice.topics.orders { source { " + source + " } }"))
                .containsExactly("main.conf:4: sluice.topics.orders.source" + problem);
    }

    @Test
    void oneOutboxHasOneReader() {
        assertThat(new HoconFile(directory).problems(SETTINGS + """
                sluice.topics { a { source { database = shop, outbox = o } }
                  b { source { database = shop, outbox = public.o } } }
                """)).containsExactly("main.conf:5: sluice.topics.b.source.outbox: public.o "
                        + "(expected: one that topics a do not read)");
    }

    @Test
    void isBound() {
        GatewayConfig config = new HoconFile(directory).load(SETTINGS + """
                sluice.topics.a.source { database = shop, outbox = app.outbox, listen = true }
                sluice.topics.b.source { database = shop, publication = p, slot = s, tables {
                  orders = "orders.{id}", "sales.items" = "{order_id}/items", log = log } }
                """);

        SourceConfig outbox = config.topics().get("a").source().orElseThrow();
        assertThat(outbox.outbox()).contains(TableName.parse("app.outbox"));
        assertThat(outbox.batchRows()).isEqualTo(500);
        SourceConfig changes = config.topics().get("b").source().orElseThrow();
        assertThat(changes.tables().values()).extracting(TopicTemplate::toString)
                .containsExactlyInAnyOrder("orders.{id}", "{order_id}/items", "log");
        assertThat(changes.tables().values()).extracting(TopicTemplate::columns)
                .containsExactlyInAnyOrder(List.of("id"), List.of("order_id"), List.of());
        assertThat(changes.tables().get("sales.items").of(column -> column + "=7"))
                .isEqualTo("order_id=7/items");
    }
}
