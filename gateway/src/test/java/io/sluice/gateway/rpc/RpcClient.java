package io.sluice.gateway.rpc;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.SocketClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of a {@code ws-rpc} route. Apostrophes stand for quotes. */
record RpcClient(SocketClient socket) implements AutoCloseable {

    RpcClient(RunningGateway gateway, String... headers) {
        this(SocketClient.connect(gateway, "/rpc", headers));
    }

    void send(String message) {
        socket.send(message.replace('\'', '"'));
    }

    JsonNode answer() throws InterruptedException {
        return JsonMapper.shared().readTree(socket.next());
    }

    JsonNode ask(String message) throws InterruptedException {
        send(message);
        return answer();
    }

    @Override
    public void close() {
        socket.close();
    }
}
