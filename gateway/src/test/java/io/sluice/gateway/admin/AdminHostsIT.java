package io.sluice.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RawClient;
import io.sluice.gateway.RunningGateway;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The admin port: allowed and refused values of the Host and Origin headers. */
class AdminHostsIT {
    private static RunningGateway gateway;

    @BeforeAll
    static void start() {
        gateway = RunningGateway.start("sluice.admin.allowed-hosts = [Sluice.example.com, other.example]");
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @ParameterizedTest
    @CsvSource({"localhost, 200", "localhost:8081, 200", "127.0.0.1:8081, 200", "10.1.2.3, 200",
        "[::1]:8081, 200",
        "gateway-1:8081, 200", "a.localhost, 200", "sluice.EXAMPLE.com:8081, 200", "other.example, 200",
        "evil.example, 421", "evil.example:8081, 421", "127.0.0.1.evil.example, 421", "xlocalhost.evil, 421",
        "evil%2eexample, 421", "localhost., 421"})
    void hostMustBeAnAddressOrAllowed(String host, int status) throws IOException {
        for (String target : new String[] {"/livez", "/metrics", "/ws/", "/routes"}) {
            assertThat(ask("GET " + target + " HTTP/1.1\r\nHost: " + host).status()).isEqualTo(status);
        }
        assertThat(ask("GET http://" + host + "/livez HTTP/1.1\r\nHost: " + host).status()).isEqualTo(status);
    }

    @Test
    void http10RequestsNeedNoHost() throws IOException {
        assertThat(ask("GET /livez HTTP/1.0").status()).isEqualTo(200);
    }

    /** Browsers send such a POST without a preflight. */
    @ParameterizedTest
    @CsvSource({"Accept: */*, 200", "Origin: http://localhost, 403", "Origin: http://evil.example, 403",
        "Origin: null, 403", "Sec-Fetch-Site: cross-site, 403", "Sec-Fetch-Site: same-site, 403"})
    void crossSiteReloadGets403(String header, int status) throws IOException {
        RawClient.Answer answer =
                ask("POST /reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n" + header);
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    }

    private static RawClient.Answer ask(String head) throws IOException {
        try (RawClient client = new RawClient(gateway.adminPort())) {
            return client.send(head + "\r\n\r\n").read();
        }
    }
}
