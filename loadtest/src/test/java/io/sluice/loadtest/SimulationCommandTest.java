package io.sluice.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.loadtest.simulations.RunSettings;
import io.sluice.loadtest.simulations.Workload;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParameterException;

class SimulationCommandTest {

    @Test
    void hasDefaults() {
        assertThat(settings("hello")).isEqualTo(new RunSettings(Workload.HELLO,
                URI.create("http://localhost:8080"), URI.create("http://localhost:8081"),
                Duration.ofSeconds(90), ThresholdsFile.builtIn().of(Workload.HELLO).orElseThrow(),
                Optional.empty()));
        assertThat(parse("hello").results())
                .isEqualTo(ResultsFolder.ofThisModule("gatling"));
    }

    @Test
    void readsEveryOption(@TempDir Path results) {
        var command = parse("hello", "--profile", "short", "--url", "https://gateway.test/",
                "--results", results.toString(), "--token", "a.b-c_d~e+f/g==", "--admin", "http://ops.test:81");
        assertThat(command.settings()).isEqualTo(new RunSettings(Workload.HELLO,
                URI.create("https://gateway.test"), URI.create("http://ops.test:81"), Duration.ofSeconds(30),
                ThresholdsFile.builtIn().of(Workload.HELLO).orElseThrow(), Optional.of("a.b-c_d~e+f/g==")));
        assertThat(command.results()).isEqualTo(results);
    }

    @Test
    void looksForMetricsAtTheServerAndTakesADurationInTheProfilesPlace() {
        var settings = settings("soak", "--duration", "8h", "--profile", "short",
                "--url", "https://10.0.0.1:8443");
        assertThat(settings.admin()).isEqualTo(URI.create("http://10.0.0.1:8081"));
        assertThat(settings.length()).isEqualTo(Duration.ofHours(8));
        assertThat(settings.webSocketAt("/ws/code")).isEqualTo("wss://10.0.0.1:8443/ws/code");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "localhost:8080", "ftp://localhost", "http://", "http://a b",
            "http:/localhost", "http://localhost:0", "http://localhost:65536", "http://localhost:x",
            "http://localhost/hello", "http://localhost?a=b", "http://localhost#a", "http://me@localhost",
            "mailto:me@localhost"})
    void takesNothingForAUrlBut(String url) {
        assertThatThrownBy(() -> parse("hello", "--url", url)).isInstanceOf(ParameterException.class)
                .hasMessageEndingWith(": %s (expected: http://host:port or https://host:port)", url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:8080", "http://localhost:8080/", "HTTP://127.0.0.1",
            "https://[::1]:8443", "http://10.0.0.1:65535"})
    void takesAServer(String url) {
        assertThat(settings("hello", "--url", url).at("/x"))
                .isEqualTo(url.endsWith("/") ? url + "x" : url + "/x");
    }

    static RunSettings settings(String... args) {
        return parse(args).settings();
    }

    private static SimulationCommand parse(String... args) {
        return (SimulationCommand) LoadTest.line(System.out).parseArgs(args)
                .subcommand().commandSpec().userObject();
    }
}
