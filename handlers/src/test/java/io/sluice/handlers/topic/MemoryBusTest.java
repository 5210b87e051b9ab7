package io.sluice.handlers.topic;

import org.junit.jupiter.api.AfterEach;

class MemoryBusTest extends TopicsOnBusContract {
    private final MemoryBusServer server = new MemoryBusServer();

    @AfterEach
    void close() {
        server.close();
    }

    @Override
    protected BusServer server() {
        return server;
    }
}
