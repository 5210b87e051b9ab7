package io.sluice.handlers.topic;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.topic.HistoryConfig;
import io.sluice.config.topic.TopicsConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocketListener;
import io.sluice.handlers.websocket.RecordedSocket;
import io.sluice.handlers.websocket.TopicHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The topics of one gateway on a bus, with an event loop and sockets. */
public final class TopicNode implements AutoCloseable {
    /** Longer than a busy machine takes from the readiness of a topic to its first subscriber. */
    static final long SHORT_LINGER_MILLIS = 2000;

    private static final Pattern ID = Pattern.compile(".*\"id\":\"([^\"]*)\".*");
    private static final Pattern DATA = Pattern.compile(".*\"data\":\"([^\"]*)\".*");

    public final Topics topics;

    private final Bus bus;
    private final EventExecutor loop = new DefaultEventExecutor();
    private final Map<RecordedSocket, WebSocketListener> sockets = new HashMap<>();

    /** Creates topics with a history of some messages, or none if 0. They stay unused for a minute. */
    public TopicNode(BusServer server, int history) throws Exception {
        this(server, history, 0, 60_000);
    }

    TopicNode(BusServer server, int history, long lastMessages, long lingerMillis) throws Exception {
        bus = server.connect();
        topics = new Topics("set", new TopicsConfig(Optional.of("bus"),
                new ByteSize(lastMessages), history == 0
                ? Optional.empty() : Optional.of(new HistoryConfig(history, Duration.ofMinutes(5),
                        new ByteSize(1 << 20))), Optional.empty()), bus, lingerMillis);
        TopicRoom.await(() -> bus.state().connected());
    }

    /**
     * Opens a socket and subscribes it.
     *
     * @param after the position to continue from; empty for positions from now on, null for none
     */
    public RecordedSocket join(String topic, String after) {
        Future<?> ready = topics.ready(topic, loop);
        ready.syncUninterruptibly();
        RecordedSocket socket = open(topic, after);
        if (after != null && after.isEmpty()) {
            TopicRoom.await(() -> received(socket).size() == 1);
        }
        return socket;
    }

    /** Opens a socket of a client that has waited until the topic was ready, and has ceased to be since. */
    RecordedSocket open(String topic, String after) {
        var socket = new RecordedSocket(loop);
        WebSocketListener listener = new TopicHandler(() -> TopicRoom.ANY, topics).accept(new FakeExchange(
                HttpMethod.GET, after == null ? "/" : "/?after=" + after, 0).with("topic", topic));
        sockets.put(socket, listener);
        TopicRoom.on(loop, () -> listener.opened(socket));
        return socket;
    }

    public WebSocketListener listener(RecordedSocket socket) {
        return sockets.get(socket);
    }

    public EventExecutor loop() {
        return loop;
    }

    /** Keeps the node from noticing anything of the bus until the latch is counted down. */
    CountDownLatch cutOff() {
        return TopicRoom.block(bus.executor());
    }

    public void leave(RecordedSocket socket) {
        WebSocketListener listener = sockets.remove(socket);
        TopicRoom.on(loop, () -> listener.closed(socket));
    }

    /** Publishes a text, and waits for its position. */
    public Position publish(String topic, String text) {
        return publish(topic, text, null).syncUninterruptibly().getNow().position();
    }

    /** Publishes a text with a key, and waits until it is taken or refused. */
    Future<Published> publish(String topic, String text, Bus.Key key) {
        SharedMessage message = TopicRoom.message(text);
        try {
            return topics.publish(topic, message, key, null, loop).awaitUninterruptibly();
        } finally {
            message.release();
        }
    }

    public List<String> received(RecordedSocket socket) {
        return TopicRoom.on(loop, () -> new ArrayList<>(socket.received));
    }

    /** Returns the texts that a socket with positions got, and {@code resync} for each such notice. */
    public List<String> data(RecordedSocket socket) {
        return received(socket).stream().filter(text -> text.contains("data") || text.contains("resync"))
                .map(text -> text.contains("resync") ? "resync" : DATA.matcher(text).replaceAll("$1"))
                .toList();
    }

    /** Returns the last position that a socket got. */
    public String seen(RecordedSocket socket) {
        return ID.matcher(received(socket).getLast()).replaceAll("$1");
    }

    /** Closes all sockets, and checks that no subscriber and no message is left. */
    @Override
    public void close() {
        List.copyOf(sockets.keySet()).forEach(this::leave);
        topics.close();
        bus.close();
        TopicRoom.await(() -> topics.stats().bytesUnderWay() == 0);
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
        Topics.Stats stats = topics.stats();
        if (stats.topics() + stats.subscribers() + stats.bytesKept() > 0) {
            throw new AssertionError(stats);
        }
    }
}
