package io.sluice.loadtest.experiments.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionData;
import io.netty.handler.codec.http.websocketx.extensions.compression.PerMessageDeflateServerExtensionHandshaker;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FramesTest {

    private final EmbeddedChannel server =
            new EmbeddedChannel(new WebSocket13FrameDecoder(WebSocketDecoderConfig.newBuilder().build()));

    @Test
    void areWhatAServerExpectsOfAClient() {
        server.writeInbound(Unpooled.wrappedBuffer(Frames.text("Hello, wörld!")));
        TextWebSocketFrame text = server.readInbound();
        assertThat(text.text()).isEqualTo("Hello, wörld!");
        assertThat(text.isFinalFragment()).isTrue();
        text.release();
        server.writeInbound(Unpooled.wrappedBuffer(Frames.frame(Frames.PONG, new byte[125])));
        PongWebSocketFrame pong = server.readInbound();
        assertThat(pong.content().readableBytes()).isEqualTo(125);
        pong.release();
        server.writeInbound(Unpooled.wrappedBuffer(Frames.fragment(Frames.TEXT, new byte[1])));
        TextWebSocketFrame fragment = server.readInbound();
        assertThat(fragment.isFinalFragment()).isFalse();
        fragment.release();
        assertThat(server.finish()).isFalse();
    }

    @Test
    void areAsLongAsTheyMustBe() {
        for (int length : new int[] {126, 0xffff, 0x10000}) {
            server.writeInbound(Unpooled.wrappedBuffer(Frames.frame(Frames.TEXT, new byte[length])));
            TextWebSocketFrame text = server.readInbound();
            assertThat(text.content().readableBytes()).isEqualTo(length);
            text.release();
        }
        assertThat(server.finish()).isFalse();
    }

    @Test
    void areCompressedAsAServerInflatesThem() {
        var extended = new EmbeddedChannel(new WebSocket13FrameDecoder(
                WebSocketDecoderConfig.newBuilder().allowExtensions(true).build()),
                new PerMessageDeflateServerExtensionHandshaker(0).handshakeExtension(
                        new WebSocketExtensionData("permessage-deflate", Map.of())).newExtensionDecoder());
        var bytes = Frames.deflated("Hello! ".repeat(10_000));
        assertThat(bytes).hasSizeLessThan(500);
        extended.writeInbound(Unpooled.wrappedBuffer(bytes));
        TextWebSocketFrame text = extended.readInbound();
        assertThat(text.text()).isEqualTo("Hello! ".repeat(10_000));
        text.release();
        extended.finishAndReleaseAll();
        assertThat(new String(Frames.deflatingHandshake("/ws/x"), StandardCharsets.US_ASCII))
                .endsWith("\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n");
    }

    @Test
    void areShort() {
        assertThatThrownBy(() -> Frames.text("x".repeat(126)))
                .hasMessage("payload: 126 bytes (expected: 0..125)");
    }

    @Test
    void beginWithAHandshake() {
        assertThat(new String(Frames.handshake("/ws/x"), StandardCharsets.US_ASCII))
                .startsWith("GET /ws/x HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n")
                .endsWith("\r\nSec-WebSocket-Version: 13\r\n\r\n");
    }
}
