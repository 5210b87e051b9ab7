package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.publish.PublishHandler;
import io.sluice.handlers.publish.TopicSink;
import io.sluice.handlers.websocket.RecordedSocket;
import io.sluice.offload.source.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
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
    void aClientThatPublishesTooMuchIsRefusedWhileOthersPublish() {
        room.join("news", 0);
        CountDownLatch block = TopicRoom.block(room.loop(0));
        String answer;
        do {
            answer = publish(null, new byte[64 * 1024]);
        } while (answer.startsWith("200"));

        assertThat(answer).startsWith("503");
        assertThat(room.publish("news", "of another")).isEqualTo(1);
        block.countDown();
        room.settle();
    }

    @Test
    void publishWithoutSubscribersSucceeds() {
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

    @ParameterizedTest
    @ValueSource(strings = {"", "\"\"", "ü"})
    void aKeyIsAText(String key) {
        FakeExchange exchange = publish(room.topics, null, key, "m");
        assertThat(exchange.answer().status()).isEqualTo(400);
        assertThat(exchange.failure()).hasMessageContaining("Idempotency-Key");
    }

    /** RFC 9110 section 13.1 forbids to act in spite of a false one. */
    @ParameterizedTest
    @ValueSource(strings = {"if-match", "if-none-match"})
    void preconditionsAreRefused(String header) {
        var exchange = new FakeExchange(HttpMethod.POST, "/", 1).with("topic", "news");
        exchange.headers().set(header, "*");
        exchange.handledBy(new PublishHandler(room.topics)).send(new byte[1]).endBody();

        assertThat(exchange.answer().status()).isEqualTo(400);
        assertThat(exchange.failure()).hasMessageContaining("none, as a topic has no state");
    }

    @Test
    void aKeyIsThatOfItsCaller() throws Exception {
        try (var server = new MemoryBusServer(); var node = new TopicNode(server, 0)) {
            RecordedSocket socket = node.join("news", null);
            assertThat(published(node, "alice", "db/outbox/1", "by alice"))
                    .isEqualTo(published(node, "alice", "\"db/outbox/1\"", "by alice again"));
            published(node, "bob", "db/outbox/1", "by bob");
            published(node, null, "db/outbox/1", "by anyone");
            published(node, "a", "bc", "by a");
            published(node, "ab", "c", "by ab");
            var message = new Message("news", true, "by a source".getBytes(StandardCharsets.UTF_8),
                    "db/outbox/1");
            TopicRoom.await(new TopicSink(node.topics).accept(message)::isSuccess);

            TopicRoom.await(() -> node.received(socket).size() > 5);
            assertThat(node.received(socket)).containsExactly("by alice", "by bob", "by anyone", "by a",
                    "by ab", "by a source");
        }
    }

    private static String published(TopicNode node, String caller, String key, String text) {
        FakeExchange exchange = publish(node.topics, caller, key, text);
        Awaitility.await().pollInSameThread().pollDelay(Duration.ZERO).until(() -> {
            exchange.settle();
            return exchange.answer().status() > 0;
        });
        return exchange.answer().text();
    }

    private static FakeExchange publish(Topics topics, String caller, String key, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        var exchange = new FakeExchange(HttpMethod.POST, "/", body.length).with("topic", "news");
        exchange.headers().set("idempotency-key", key);
        if (caller != null) {
            exchange.attr(Exchange.CALLER).set(caller);
        }
        return exchange.handledBy(new PublishHandler(topics)).send(body).endBody();
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
