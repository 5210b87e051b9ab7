package io.sluice.loadtest.experiments.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.loadtest.experiments.server.ServerOutput.Ports;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerOutputTest {

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "bare Netty serves http://localhost:81/; 81; 0",
        "Sluice 1 serves http://localhost:81/ - admin port: http://localhost:82/metrics; 81; 82",
        "Sluice 1 serves http://localhost:81/ and https://localhost:83/ - admin port: "
                + "http://localhost:82/metrics; 83; 82"})
    void hasThePortForClientsAndThatForOperators(String line, int port, int admin) throws Exception {
        var stream = new ByteArrayInputStream(("log\n" + line + "\n").getBytes(StandardCharsets.UTF_8));
        assertThat(ServerOutput.of(stream).ports().get(10, TimeUnit.SECONDS))
                .isEqualTo(new Ports(port, 81, admin));
    }
}
