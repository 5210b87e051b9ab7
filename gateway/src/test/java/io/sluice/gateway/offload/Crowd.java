package io.sluice.gateway.offload;

import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Clients that send the same request and disconnect together. */
final class Crowd implements AutoCloseable {
    private final List<RawClient> clients = new ArrayList<>();

    Crowd(int port, int size) throws IOException {
        for (int i = 0; i < size; i++) {
            clients.add(new RawClient(port));
        }
    }

    void ask(String requests) throws IOException {
        for (RawClient client : clients) {
            client.send(requests);
        }
    }

    /** Reads an answer on each connection. */
    List<RawClient.Answer> read() throws IOException {
        var answers = new ArrayList<RawClient.Answer>();
        for (RawClient client : clients) {
            answers.add(client.read());
        }
        return answers;
    }

    void hangUp(HangUp how) throws IOException {
        for (RawClient client : clients) {
            how.end(client.socket());
        }
    }

    @Override
    public void close() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }
}
