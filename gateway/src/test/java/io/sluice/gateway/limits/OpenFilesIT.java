package io.sluice.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.gateway.GatewayProcess;
import io.sluice.gateway.RawClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that may open no more files than it has open. */
class OpenFilesIT {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final int ROOM = 5;

    private final List<RawClient> clients = new ArrayList<>();
    private GatewayProcess gateway;

    @BeforeEach
    void start() {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "util-linux sets a process's limits");
        gateway = GatewayProcess.start("""
                sluice.routes.hello { path = "/", handler = text, text = hello }
                sluice.server.timeouts.first-head = 1s
                """);
    }

    /** Classes are read from files: what looks at connections has looked at some before there are no more. */
    private void awaitClassesOfWatches() throws Exception {
        try (var silent = new RawClient(gateway.port())) {
            assertThat(silent.isClosed()).isTrue();
        }
    }

    @AfterEach
    void stop() throws Exception {
        for (RawClient client : clients) {
            client.close();
        }
        if (gateway != null) {
            gateway.close();
        }
    }

    private RawClient connect() throws Exception {
        var client = new RawClient(gateway.port());
        clients.add(client);
        return client;
    }

    private void mayOpen(long files) throws Exception {
        var command = List.of("prlimit", "--pid", Long.toString(gateway.handle().pid()), "--nofile=" + files);
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private long open() throws Exception {
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(gateway.handle().pid()), "fd"))) {
            return files.count();
        }
    }

    @Test
    void acceptsNobodyMeanwhileAndServesThoseWhoAreThere() throws Exception {
        RawClient first = connect();
        assertThat(first.send(GET).read().body()).isEqualTo("hello");
        awaitClassesOfWatches();
        mayOpen(open() + ROOM);
        for (int i = 0; i < 3 * ROOM; i++) {
            connect().send(GET);
        }
        await().until(() -> gateway.output().contains("no connection can be accepted"));
        assertThat(first.send(GET).read().body()).isEqualTo("hello");
        assertThat(gateway.output()).contains("ulimit -n").doesNotContain("exceptionCaught");

        for (RawClient served : clients.subList(1, 1 + ROOM)) {
            assertThat(served.read().body()).isEqualTo("hello");
            served.close();
        }
        assertThat(clients.get(1 + ROOM).read().body()).isEqualTo("hello");
    }
}
