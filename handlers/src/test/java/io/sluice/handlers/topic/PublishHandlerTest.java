package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.publish.PublishHandler;
import io.sluice.handlers.websocket.RecordedSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class PublishHandlerTest {
    private static final byte[] NOT_UTF_8 = {'a', (byte) 0xC3, 'b'};

    private final TopicRoom room = new TopicRoom(1, 0);

    @AfterEach
    void close() {
        room.close();
    }

    @Test
    void theAnswerDoesNotWaitForTheSubscribers() {
        RecordedSocket socket = room.join("news", 0);
        CountDownLatch block = TopicRoom.block(room.loop(0));

        assertThat(publish(null, "grüße".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("200 {\"subscribers\":1}");
        block.countDown();
        room.settle();

        assertThat(socket.received).containsExactly("grüße");
    }

    @Test
    void nobodyMayListen() {
        assertThat(publish(null, new byte[0])).isEqualTo("200 {\"subscribers\":0}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/json; charset=UTF-8", "text/x;charset=\"utf-8\"", ""})
    void textMustBeUtf8(String contentType) {
        assertThat(publish(contentType, "a".getBytes(StandardCharsets.UTF_8))).startsWith("200");
        assertRefused(400, contentType, NOT_UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/octet-stream", "Application/Octet-Stream ; charset=latin1"})
    void binaryMayBeAnything(String contentType) {
        assertThat(publish(contentType, NOT_UTF_8)).startsWith("200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain; charset=iso-8859-1", "text/plain; charset=nonsense"})
    void otherCharsetsAreNotSupported(String contentType) {
        assertRefused(415, contentType, new byte[] {'a'});
    }

    private void assertRefused(int status, String contentType, byte[] body) {
        assertThat(publish(contentType, body)).startsWith(Integer.toString(status));
    }

    private String publish(String contentType, byte[] body) {
        var exchange = new FakeExchange(HttpMethod.POST, "/", body.length).with("topic", "news");
        if (contentType != null) {
            exchange.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
        }
        exchange.handledBy(new PublishHandler(room.topics)).send(body).endBody();
        return exchange.answer().status() + " " + exchange.answer().text();
    }
}
