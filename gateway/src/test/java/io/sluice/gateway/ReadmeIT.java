package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.proxy.ByteOrigin;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The configuration of README.md for a reverse proxy, as it stands there but for the application's port. */
class ReadmeIT {
    private static final String HEADING = "## A reverse proxy in four lines";
    private static final String PORT = ":3000";
    private static final String INDENT = "    ";

    /** Returns the first lines of code below the heading. */
    private static List<String> code() throws IOException {
        return Files.readAllLines(Path.of("..", "README.md")).stream()
                .dropWhile(line -> !line.equals(HEADING))
                .dropWhile(line -> !line.startsWith(INDENT))
                .takeWhile(line -> line.startsWith(INDENT)).toList();
    }

    @Test
    void hasAReverseProxyInFourLines() throws Exception {
        List<String> code = code();
        assertThat(code).hasSize(4);
        String config = String.join("\n", code);
        assertThat(config).containsOnlyOnce(PORT);
        try (var application = ByteOrigin.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
                var gateway = RunningGateway.start(config.replace(PORT, ":" + application.port()))) {
            HttpResponse<String> response = gateway.get("/any/path?a=b");
            assertThat(response.body()).isEqualTo("hi");
            assertThat(application.requests()).singleElement().asString()
                    .startsWith("GET /any/path?a=b HTTP/1.1\r\nHost: 127.0.0.1:" + gateway.port())
                    .contains("\r\nVia: 1.1 sluice\r\n", "\r\nX-Request-Id: ", "\r\nForwarded: for=127.0.0.1",
                            "\r\nX-Forwarded-For: 127.0.0.1\r\n", "\r\nX-Forwarded-Proto: http\r\n",
                            "\r\nX-Forwarded-Host: 127.0.0.1:" + gateway.port() + "\r\n");
            assertThat(gateway.getAdmin("/upstreams").body())
                    .contains("\"name\":\"app\"", "\"endpoint\":\"http://127.0.0.1:" + application.port());
        }
    }
}
