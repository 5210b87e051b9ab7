package io.sluice.gateway.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.PostgresServer;
import io.sluice.gateway.RunningGateway;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of the document that come from the catalog of PostgreSQL. */
class OpenapiOnPostgresIT {
    @TempDir
    private Path folder;

    @Test
    void columnsOfEnumeratedTypesHaveTheirLabels() throws Exception {
        PostgresServer postgres = PostgresServer.get();
        Path script = Files.writeString(folder.resolve("enum.sql"), """
                DROP TABLE IF EXISTS openapi_orders;
                DROP TYPE IF EXISTS openapi_state;
                DROP TYPE IF EXISTS "Interval";
                CREATE TYPE openapi_state AS ENUM ('new', 'paid');
                CREATE TYPE "Interval" AS ENUM ('day', 'week');
                CREATE TABLE openapi_orders (
                  id bigint PRIMARY KEY, state openapi_state NOT NULL, delay interval);
                """);
        try (var gateway = RunningGateway.start("""
                sluice {
                  offload.pools.main { workers = 1 }
                  databases.db { url = "%s", user = "%s", password = "%s", pool = main
                    connection-timeout = 20s, init-script = "%s" }
                  routes {
                    document { path = "/openapi.json", handler = openapi }
                    orders { path = "/orders", handler = query, database = db
                      sql = "SELECT id, state, delay FROM openapi_orders", filter.state = [eq, in] }
                  }
                }
                """.formatted(postgres.url(), postgres.user(), postgres.password(), script))) {
            var document = new Described(Described.JSON.readTree(gateway.get("/openapi.json").body()));

            assertThat(document.operation("/orders", "get").path("parameters"))
                    .filteredOn(parameter -> parameter.path("name").asString().equals("state"))
                    .singleElement().extracting(parameter -> parameter.at("/schema/enum").toString())
                    .isEqualTo("[\"new\",\"paid\"]");
            assertThat(document.responses("/orders", "get")
                    .at("/200/content/application~1json/schema/items/properties/state/enum"))
                    .hasToString("[\"new\",\"paid\"]");
            assertThat(document.responses("/orders", "get")
                    .at("/200/content/application~1json/schema/items/properties/delay").toString())
                    .contains("string").doesNotContain("week");
            assertThat(gateway.get("/orders?state=sold").statusCode()).isEqualTo(400);
        }
    }
}
