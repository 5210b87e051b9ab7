package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;

/** The contract's client over a real socket. */
record WireClient(RawSocket socket) implements WebSocketContract.Client {

    @Override
    public void send(String... texts) throws IOException {
        socket.send(Stream.of(texts).map(text -> ClientFrame.of(ClientFrame.TEXT, text))
                .toArray(byte[][]::new));
    }

    @Override
    public String next() throws IOException {
        RawSocket.Frame frame = socket.read();
        assertThat(frame.opcode()).isEqualTo(Opcode.TEXT);
        return frame.text();
    }

    @Override
    public int closeCode() throws IOException {
        return socket.read().closeCode();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
