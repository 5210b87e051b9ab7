package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** An HTTP/2 server that sends any frames and reads the gateway's. */
final class FrameOrigin implements AutoCloseable {
    private final ServerSocket listener;

    FrameOrigin() throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        listener.setSoTimeout(60_000);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Accepts a connection, and exchanges prefaces with these settings. */
    FrameClient accept(int... settings) throws IOException {
        return greet(connection(), settings);
    }

    /** Accepts a connection, which serves nothing before {@link #greet}. */
    Socket connection() throws IOException {
        return listener.accept();
    }

    /** Exchanges prefaces with these settings. */
    FrameClient greet(Socket socket, int... settings) throws IOException {
        socket.setTcpNoDelay(true);
        byte[] preface = socket.getInputStream().readNBytes(FrameClient.PREFACE.length());
        assertThat(new String(preface, StandardCharsets.US_ASCII)).isEqualTo(FrameClient.PREFACE);
        FrameClient accepted = FrameClient.open(new RawClient(socket)).send(Frame.settings(settings));
        accepted.await(Frame.SETTINGS, 0);
        return accepted.send(new Frame(Frame.SETTINGS, Frame.ACK, 0, new byte[0]));
    }

    /** Returns the frames of a whole answer. */
    static Frame[] answer(int stream, String body, String... more) {
        String[] fields = new String[more.length + 2];
        fields[0] = ":status";
        fields[1] = "200";
        System.arraycopy(more, 0, fields, 2, more.length);
        return new Frame[] {FrameClient.headers(stream, false, fields), FrameClient.data(stream, true, body)};
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
