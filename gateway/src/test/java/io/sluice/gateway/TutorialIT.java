package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.topic.EventLines;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shop of docs/tutorial.md, step by step: each needs what those before it have stored. */
@TestMethodOrder(OrderAnnotation.class)
@Timeout(600)
class TutorialIT {
    private static Tutorial tutorial;
    private static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        tutorial = new Tutorial();
        gateway = RunningGateway.start(tutorial.config(Tutorial.FOLDER));
    }

    @AfterAll
    static void stop() throws Exception {
        if (gateway != null) {
            gateway.close();
        }
        if (tutorial != null) {
            tutorial.close();
        }
    }

    /** Sends a request with a JSON body; of nobody for an empty name. */
    private static HttpResponse<String> ask(String caller, String method, String target, String body,
                                            String... headers) throws Exception {
        HttpRequest.Builder request = gateway.request(target).method(method, BodyPublishers.ofString(body))
                .header("Content-Type", "application/json");
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        if (!caller.isEmpty()) {
            request.header("Authorization", "Bearer " + caller + "-secret");
        }
        return gateway.send(request);
    }

    private static HttpResponse<String> get(String caller, String target, String... headers)
            throws Exception {
        return ask(caller, "GET", target, "", headers);
    }

    private static HttpResponse<String> change(String caller, String body, String... headers)
            throws Exception {
        return ask(caller, "PATCH", "/products/P103", body, headers);
    }

    private static HttpResponse<String> place(String lines) throws Exception {
        return ask("alice", "POST", "/orders",
                "{\"lines\":[{\"sku\":\"P103\",\"quantity\":2}," + lines + "]}");
    }

    private static HttpResponse<String> repeatable(int quantity) throws Exception {
        return ask("bob", "POST", "/orders", "{\"lines\":[{\"sku\":\"P104\",\"quantity\":%d}]}"
                .formatted(quantity), "Idempotency-Key", "\"8e03978e\"");
    }

    private static HttpResponse<String> load(String... rows) throws Exception {
        return ask("clerk", "PUT", "/products", String.join("\n", rows),
                "Content-Type", "application/x-ndjson");
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"schema.sql", "queries.sql", "shop.conf"})
    @Order(0)
    void snippetsEqualTheFiles(String name) throws Exception {
        assertThat(tutorial.file(name)).isEqualTo(Files.readString(Tutorial.FOLDER.resolve(name)));
    }

    @Test
    @Order(1)
    void productsAreFound() throws Exception {
        String red = "/products?color=red&price%5Blt%5D=20&sort=-price&limit=2";
        HttpResponse<String> page = get("", red);
        tutorial.shows(page, 200);
        tutorial.shows("x-total-count: " + header(page, "x-total-count"));

        int rows = 0;
        String next = red;
        for (; next != null; rows += page.body().split("\"sku\"").length - 1) {
            page = get("", next);
            next = page.headers().firstValue("link").map(link -> link.substring(1, link.indexOf('>')))
                    .orElse(null);
        }
        assertThat(rows).isEqualTo(20);
        tutorial.shows(get("", "/products?limit=5000"), 400);
    }

    @Test
    @Order(2)
    void aChangeNamesTheVersion() throws Exception {
        HttpResponse<String> product = get("", "/products/P103");
        tutorial.shows(product, 200);
        assertThat(header(product, "etag")).isEqualTo("\"1\"");
        assertThat(get("", "/products/P103", "If-None-Match", "\"1\"").statusCode()).isEqualTo(304);

        String json = "{\"price\": 6.00, \"attributes\": {\"sizes\": [10, 12]}}";
        tutorial.shows(json);
        HttpResponse<String> changed = change("clerk", json, "If-Match", "\"1\"");
        tutorial.shows(changed, 200);
        assertThat(header(changed, "etag")).isEqualTo("\"2\"");

        tutorial.shows(change("clerk", json, "If-Match", "\"1\""), 412);
        tutorial.shows(change("clerk", json), 428);
        tutorial.shows(change("clerk", "{\"price\":\"cheap\"}", "If-Match", "\"2\""), 400);
        tutorial.shows(change("clerk", "{\"price\":-1}", "If-Match", "\"2\""), 409);
        tutorial.shows(change("", json, "If-Match", "\"2\""), 401);
        assertThat(get("", "/products/P103").body()).isEqualTo(changed.body());
    }

    @Test
    @Order(3)
    void anOrderIsPlacedWithAllItsLinesOrNone() throws Exception {
        HttpResponse<String> placed = place("{\"sku\":\"P100\",\"quantity\":1}");
        tutorial.shows(placed, 201);
        assertThat(header(placed, "location")).isEqualTo("/orders/1");

        tutorial.shows(place("{\"sku\":\"P9\",\"quantity\":1}"), 422);
        tutorial.shows(place("{\"sku\":\"P100\",\"quantity\":20}"), 409);
        tutorial.shows(place("{\"sku\":\"P100\",\"quantity\":0}"), 422);
        tutorial.shows(place("{\"sku\":\"P103\",\"quantity\":2}"), 409);
        tutorial.shows(place("{\"quantity\":\"many\"}"), 400);
        assertThat(get("", "/products/P103").body()).contains("\"stock\":8,");
        assertThat(get("", "/products/P100").body()).contains("\"stock\":9,");
    }

    @Test
    @Order(4)
    void customersSeeTheirOwnOrders() throws Exception {
        tutorial.shows(get("alice", "/orders"), 200);
        tutorial.shows(get("alice", "/orders/1"), 200);
        assertThat(get("bob", "/orders").body()).isEqualTo("[]");
        tutorial.shows(get("bob", "/orders/1"), 404);
        assertThat(get("clerk", "/orders").body()).isEqualTo(get("alice", "/orders").body());
        assertThat(get("", "/orders").statusCode()).isEqualTo(401);
    }

    @Test
    @Order(5)
    void aRepeatedOrderIsPlacedOnce() throws Exception {
        HttpResponse<String> placed = repeatable(3);
        tutorial.shows(placed, 201);
        tutorial.shows("location: " + header(placed, "location"));

        HttpResponse<String> again = repeatable(3);
        assertThat(again.body()).isEqualTo(placed.body());
        assertThat(header(again, "idempotent-replayed")).isEqualTo("true");
        tutorial.shows(repeatable(4), 422);
        assertThat(get("", "/products/P104").body()).contains("\"stock\":7,");
        assertThat(get("clerk", "/orders").body().split("\"id\"")).hasSize(3);
    }

    @Test
    @Order(6)
    void aMillionRowsAreExported() throws Exception {
        HttpResponse<InputStream> sales = gateway.client().send(gateway.request("/sales")
                .header("Authorization", "Bearer clerk-secret").header("Accept", "text/csv").build(),
                BodyHandlers.ofInputStream());
        assertThat(sales.statusCode()).isEqualTo(200);

        long lines = 0;
        long bytes = 0;
        var buffer = new byte[1 << 16];
        try (InputStream body = sales.body()) {
            for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                for (int i = 0; i < n; i++) {
                    lines += buffer[i] == '\n' ? 1 : 0;
                }
                bytes += n;
            }
        }
        assertThat(lines).isEqualTo(1_000_001);
        tutorial.shows(lines + " " + bytes + " sales.csv");
    }

    @Test
    @Order(7)
    void productsAreImportedAllOrNone() throws Exception {
        tutorial.shows(load("{\"sku\":\"P103\",\"name\":\"seal\",\"price\":7.50,\"stock\":100}",
                "{\"sku\":\"N1\",\"name\":\"gasket\",\"price\":0.80,\"stock\":500}"), 200);

        String good = "{\"sku\":\"P103\",\"name\":\"seal\",\"price\":9,\"stock\":1}";
        tutorial.shows(load(good, "{\"sku\":\"N2\",\"name\":\"cap\",\"price\":\"low\",\"stock\":1}",
                "{\"sku\":\"N3\",\"price\":1,\"stock\":1}"), 400);
        tutorial.shows(load(good, "{\"sku\":\"N2\",\"name\":\"cap\",\"price\":0,\"stock\":1}"), 409);
        assertThat(get("", "/products/P103").body()).contains("\"price\":7.50,\"stock\":100,");
        assertThat(get("", "/products/N1").statusCode()).isEqualTo(200);
        assertThat(get("", "/products/N2").statusCode()).isEqualTo(404);
    }

    @Test
    @Order(8)
    void anOrderAndTheLogAreFollowed() throws Exception {
        String seen = "";
        try (var order = new EventLines(gateway, "/orders/8", "Authorization", "Bearer bob-secret");
                var log = new EventLines(gateway, "/events/log", "Authorization", "Bearer clerk-secret")) {
            tutorial.shows("data: " + order.next("data: "));
            tutorial.shows(ask("clerk", "PATCH", "/orders/8", "{\"status\":\"paid\"}"), 200);
            tutorial.shows("data: " + order.next("data: "));
            String line = "";
            while (!line.startsWith("data: ") || !line.contains("paid")) { // others may be on their way
                seen = line.startsWith("id: ") ? line.substring(4) : seen;
                line = log.next("");
            }
            tutorial.shows(line);
        }
        assertThat(ask("clerk", "PATCH", "/orders/8", "{\"status\":\"sent\"}").statusCode()).isEqualTo(200);
        try (var log = new EventLines(gateway, "/events/log", "Authorization", "Bearer clerk-secret",
                "Last-Event-ID", seen)) {
            assertThat(log.next("data: ")).isEqualTo(
                    "{\"order\" : 8, \"customer\" : \"bob\", \"status\" : \"sent\"}");
        }
    }

    @Test
    @Order(9)
    void configurationIsCheckedAndDescribed(@TempDir Path folder) throws Exception {
        for (String name : new String[] {"queries.sql", "shop.conf"}) {
            Files.copy(Tutorial.FOLDER.resolve(name), folder.resolve(name));
        }
        assertThat(mistakes(folder)).isEmpty();
        Path queries = folder.resolve("queries.sql");
        Files.writeString(queries, Files.readString(queries).replaceFirst("name, price,", "name, prise,"));
        tutorial.shows(mistakes(folder).replace(folder.toString() + '/', ""));

        assertThat(get("", "/openapi.json").body()).contains("\"operationId\":\"place-order\"");
        assertThat(get("", "/docs/").statusCode()).isEqualTo(200);
    }

    private static String mistakes(Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("test.conf"), tutorial.config(folder));
        var err = new StringWriter();
        Commands.line().setOut(new PrintWriter(new StringWriter())).setErr(new PrintWriter(err, true))
                .execute("check", "--database", "--config", file.toString());
        return err.toString();
    }
}
