package io.sluice.loadtest.experiments.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientSocketTest {

    private static final String ACCEPTED = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";

    private final Heard heard = new Heard();
    private final EmbeddedChannel client =
            new EmbeddedChannel(new ClientSocket("handshake".getBytes(StandardCharsets.US_ASCII), heard));

    @AfterEach
    void releasesWhatHasNoEnd() {
        client.finishAndReleaseAll();
        assertThat(heard.events).endsWith("closed");
    }

    @Test
    void beginsWithTheHandshake() {
        ByteBuf sent = client.readOutbound();
        assertThat(sent.toString(StandardCharsets.US_ASCII)).isEqualTo("handshake");
        sent.release();
        server(text(ACCEPTED));
        assertThat(heard.events).containsExactly("opened");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100, 10_000})
    void reassemblesWhatComesInPieces(int piece) {
        ByteBuf large = encoded(new TextWebSocketFrame("y".repeat(70_000)));
        int rest = large.readableBytes() - 100;
        server(piece, Unpooled.wrappedBuffer(text(ACCEPTED),
                encoded(new TextWebSocketFrame("one")),
                encoded(new TextWebSocketFrame("x".repeat(126))),
                encoded(new PongWebSocketFrame()),
                large.readRetainedSlice(50)));
        // At least 1,000 bytes a read: in reads of one byte, each would copy all bytes before it.
        server(Math.max(piece, 1000), large.readRetainedSlice(rest));
        server(piece, Unpooled.wrappedBuffer(large,
                encoded(new BinaryWebSocketFrame(Unpooled.EMPTY_BUFFER))));
        assertThat(heard.events)
                .containsExactly("opened", "one", "x".repeat(126), "y".repeat(70_000), "");
    }

    @Test
    void answersAPing() {
        server(text(ACCEPTED));
        client.releaseOutbound();
        server(encoded(new PingWebSocketFrame(text("are you there?"))));
        ByteBuf pong = client.readOutbound();
        assertThat(ByteBufUtil.getBytes(pong))
                .isEqualTo(Frames.frame(Frames.PONG, "are you there?".getBytes(StandardCharsets.US_ASCII)));
        pong.release();
    }

    @Test
    void tellsThatItWasNotAccepted() {
        server(text("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"));
        assertThat(heard.events)
                .containsExactly("refused: HTTP/1.1 404 Not Found (expected: 101)", "closed");
    }

    @Test
    void endsWithTheServersClose() {
        server(text(ACCEPTED));
        server(Unpooled.wrappedBuffer(new byte[] {(byte) 0x88, 2, 3, (byte) 0xe8}));
        assertThat(heard.events).containsExactly("opened", "closed");
    }

    @Test
    void takesNoFragments() {
        server(text(ACCEPTED));
        server(encoded(new TextWebSocketFrame(false, 0, "half")));
        assertThat(heard.events).containsExactly("opened", "closed");
    }

    private void server(int piece, ByteBuf all) {
        while (all.isReadable()) {
            server(all.readBytes(Math.min(piece, all.readableBytes())));
        }
        all.release();
    }

    private void server(ByteBuf bytes) {
        client.writeInbound(bytes);
    }

    private static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    private static ByteBuf encoded(WebSocketFrame frame) {
        var server = new EmbeddedChannel(new WebSocket13FrameEncoder(false));
        server.writeOutbound(frame);
        var bytes = new ArrayList<ByteBuf>();
        for (ByteBuf part; (part = server.readOutbound()) != null;) {
            bytes.add(part);
        }
        return Unpooled.wrappedBuffer(bytes.toArray(ByteBuf[]::new));
    }

    private static final class Heard implements SocketListener {

        private final List<String> events = new ArrayList<>();

        @Override
        public void opened(Channel channel) {
            events.add("opened");
        }

        @Override
        public void refused(Throwable cause) {
            events.add("refused: " + cause.getMessage());
        }

        @Override
        public void message(ByteBuf bytes, int length) {
            events.add(bytes.toString(bytes.readerIndex(), length, StandardCharsets.UTF_8));
        }

        @Override
        public void closed() {
            events.add("closed");
        }
    }
}
