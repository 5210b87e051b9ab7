package io.sluice.loadtest.experiments.driver;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A bound port on which nothing listens. No other process can bind it. */
final class DeadPort implements AutoCloseable {

    private final Socket taken = new Socket();

    DeadPort() throws IOException {
        taken.bind(new InetSocketAddress("127.0.0.1", 0));
    }

    int number() {
        return taken.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        taken.close();
    }
}
