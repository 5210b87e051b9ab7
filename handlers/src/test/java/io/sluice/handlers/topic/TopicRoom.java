package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.sluice.config.HandlerConfig;
import io.sluice.config.topic.HistoryConfig;
import io.sluice.config.topic.OverBudget;
import io.sluice.config.topic.TopicsConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.SlowReaderMemory;
import io.sluice.handlers.WebSocketListener;
import io.sluice.handlers.websocket.RecordedSocket;
import io.sluice.handlers.websocket.TopicHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** Topics, event loops, and sockets on them. */
public final class TopicRoom implements AutoCloseable {
    public static final HandlerConfig.WsTopic ANY = config(true, 1 << 20, OverBudget.DROP_OLDEST);

    private static final int SLICES = 5;

    public final Topics topics;
    public final List<EventExecutor> loops = new ArrayList<>();

    private final DefaultEventExecutorGroup group;
    private final Map<RecordedSocket, WebSocketListener> open = new HashMap<>();

    public TopicRoom(int loops, long lastMessages) {
        this(loops, new TopicsConfig(Optional.empty(), new ByteSize(lastMessages), Optional.empty(),
                Optional.empty()));
    }

    /** Creates topics that keep a history of so many messages each. */
    public static TopicRoom withHistory(int loops, int messages) {
        return new TopicRoom(loops, new TopicsConfig(Optional.empty(), new ByteSize(0), Optional.of(
                new HistoryConfig(messages, Duration.ofHours(1), new ByteSize(1 << 20))), Optional.empty()));
    }

    TopicRoom(int loops, TopicsConfig config) {
        topics = new Topics(config);
        group = new DefaultEventExecutorGroup(loops);
        group.forEach(this.loops::add);
    }

    public static HandlerConfig.WsTopic config(boolean publish, long budget, OverBudget overBudget) {
        return new HandlerConfig.WsTopic(null, "topics", publish, new ByteSize(budget), overBudget);
    }

    public static SharedMessage message(String text) {
        return new SharedMessage(true, ByteBufUtil.writeUtf8(PooledByteBufAllocator.DEFAULT, text));
    }

    public EventExecutor loop(int index) {
        return loops.get(index % loops.size());
    }

    public RecordedSocket join(String topic, int loop) {
        return join(topic, loop, ANY);
    }

    public RecordedSocket join(String topic, int loop, HandlerConfig.WsTopic config) {
        var socket = new RecordedSocket(loop(loop));
        open.put(socket, join(topic, socket, config));
        return socket;
    }

    /** Opens a socket whose client asks for positions. */
    public RecordedSocket follow(String topic, int loop, String after) {
        var socket = new RecordedSocket(loop(loop));
        follow(topic, socket, after, ANY);
        return socket;
    }

    /** Subscribes a socket whose client asks for positions. */
    public void follow(String topic, RecordedSocket socket, String after, HandlerConfig.WsTopic config) {
        WebSocketListener listener = new TopicHandler(() -> config, topics)
                .accept(new FakeExchange(HttpMethod.GET, "/?after=" + after, 0).with("topic", topic));
        open.put(socket, listener);
        on(socket.eventLoop(), () -> listener.opened(socket));
    }

    /** Subscribes a socket that the caller unsubscribes, not the room. */
    public WebSocketListener join(String topic, RecordedSocket socket, HandlerConfig.WsTopic config) {
        WebSocketListener listener = new TopicHandler(() -> config, topics)
                .accept(new FakeExchange().with("topic", topic));
        on(socket.eventLoop(), () -> listener.opened(socket));
        return listener;
    }

    public WebSocketListener listener(RecordedSocket socket) {
        return open.get(socket);
    }

    public void leave(RecordedSocket socket) {
        WebSocketListener listener = open.remove(socket);
        on(socket.eventLoop(), () -> listener.closed(socket));
    }

    public int publish(String topic, String text) {
        SharedMessage message = message(text);
        try {
            return topics.publish(topic, message, null, null, ImmediateEventExecutor.INSTANCE).getNow()
                    .subscribers();
        } finally {
            message.release();
        }
    }

    /** Receives a text from a socket's client. */
    public void text(RecordedSocket from, String text) {
        ByteBuf message = ByteBufUtil.writeUtf8(PooledByteBufAllocator.DEFAULT, text);
        on(from.eventLoop(), () -> open.get(from).text(from, message));
        message.release();
    }

    /** Waits until every message has been handed to every socket. */
    public void settle() {
        int before;
        do {
            before = received();
            // A loop that has sent the last byte may still have tasks, and slices that each add the next one.
            for (int i = 0; i < SLICES; i++) {
                loops.forEach(loop -> on(loop, () -> { }));
            }
        } while (topics.stats().bytesUnderWay() > 0 || received() > before);
    }

    private int received() {
        return open.keySet().stream()
                .mapToInt(socket -> on(socket.eventLoop(), socket.received::size)).sum();
    }

    /** Has a client read so many messages, and waits until they are sent. */
    public void read(RecordedSocket socket, int messages) {
        on(socket.eventLoop(), () -> {
            socket.writable = true;
            socket.writableFor = messages;
            listener(socket).writable(socket);
        });
        settle();
    }

    /** Waits for a condition that the loops bring about. */
    public static void await(BooleanSupplier condition) {
        Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5))
                .atMost(30, TimeUnit.SECONDS).until(condition::getAsBoolean);
    }

    /** Keeps a loop busy until the latch is counted down. */
    public static CountDownLatch block(EventExecutor loop) {
        var latch = new CountDownLatch(1);
        loop.execute(() -> {
            try {
                if (!latch.await(20, TimeUnit.SECONDS)) {
                    throw new AssertionError("still blocked");
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        return latch;
    }

    public static void on(EventExecutor loop, Runnable action) {
        on(loop, () -> {
            action.run();
            return null;
        });
    }

    public static <T> T on(EventExecutor loop, Callable<T> action) {
        return loop.submit(action).syncUninterruptibly().getNow();
    }

    /** Closes all sockets, and checks that no subscriber and no message is left. */
    @Override
    public void close() {
        List.copyOf(open.keySet()).forEach(this::leave);
        settle();
        topics.close();
        assertHeld(0, 0);
        assertThat(topics.stats().bytesKept()).isZero();
        assertThat(SlowReaderMemory.OF_PROCESS.bytes()).isZero();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Checks the numbers of topics and subscribers, and that no message is under way. */
    public void assertHeld(int held, int subscribers) {
        Topics.Stats stats = topics.stats();
        assertThat(stats.topics()).isEqualTo(held);
        assertThat(stats.subscribers()).isEqualTo(subscribers);
        assertThat(stats.bytesUnderWay()).isZero();
    }
}
