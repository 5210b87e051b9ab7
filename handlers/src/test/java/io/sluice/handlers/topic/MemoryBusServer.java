package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.fail;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.presence.MemoryRoster;
import io.sluice.handlers.presence.Roster;
import io.sluice.offload.ClientNetwork;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A bus within the JVM, which passes the {@link BusContract}, and can drop messages. Thread-safe. */
public final class MemoryBusServer implements BusServer {
    private static final int READ = 10;
    private final Map<String, Topic> topics = new HashMap<>();
    private final MemoryRoster members = new MemoryRoster();
    private final List<Node> nodes = new ArrayList<>();
    private volatile boolean down;
    private int lose;
    /** Run at each read of a history, and may throw. */
    volatile Runnable onRead = () -> { };
    /** Deliveries that are under way; null if each arrives at once. */
    private List<Runnable> underWay;

    private record Message(Position position, boolean text, byte[] payload) {
    }

    /** The state of a topic on the server. */
    private static final class Topic {
        final ArrayDeque<Message> stream = new ArrayDeque<>();
        final Map<String, Position> keys = new HashMap<>();
        Position head = new Position(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), 0);
    }

    @Override
    public synchronized Bus connect() {
        var node = new Node();
        nodes.add(node);
        return node;
    }

    @Override
    public synchronized void cut() {
        nodes.forEach(Node::lose);
        nodes.forEach(Node::find);
    }

    @Override
    public synchronized void stop() {
        down = true;
        nodes.forEach(Node::lose);
    }

    @Override
    public synchronized void startEmpty() {
        down = false;
        topics.clear();
        members.clear();
        nodes.forEach(Node::find);
    }

    /** Drops the given number of next deliveries. */
    synchronized void lose(int deliveries) {
        lose = deliveries;
    }

    /** Keeps deliveries under way, until they {@link #arrive}; what is read overtakes them. */
    synchronized void delay() {
        underWay = new ArrayList<>();
    }

    synchronized void arrive() {
        underWay.forEach(Runnable::run);
        underWay = null;
    }

    /** Delivers a message once more, or one of an epoch that has ended. */
    synchronized void deliver(String topic, Position at) {
        var message = new Message(at, true, new byte[] {'x'});
        nodes.forEach(node -> node.channels.stream().filter(open -> open.subscribed.contains(topic))
                .forEach(open -> open.receive(topic, message)));
    }

    @Override
    public Runnable rememberMembers(String topic) {
        return members.remember("set/" + topic);
    }

    @Override
    public synchronized void close() {
        List.copyOf(nodes).forEach(Node::close);
    }

    private Topic topic(String name) {
        return topics.computeIfAbsent(name, _ -> new Topic());
    }

    private final class Node implements Bus {
        private final EventExecutor executor = new DefaultEventExecutor();
        private final List<Open> channels = new ArrayList<>();

        @Override
        public Channel open(String set, Keep keep, Receiver receiver) {
            synchronized (MemoryBusServer.this) {
                var opened = new Open(this, set, keep, receiver);
                channels.add(opened);
                return opened;
            }
        }

        void lose() {
            channels.forEach(channel -> channel.subscribed.forEach(topic ->
                    executor.execute(() -> channel.receiver.lost(topic))));
        }

        void find() {
            channels.forEach(channel -> channel.subscribed.forEach(channel::confirm));
        }

        @Override
        public EventExecutor executor() {
            return executor;
        }

        @Override
        public State state() {
            synchronized (MemoryBusServer.this) {
                return new State(!down, down ? "stopped" : null, 0);
            }
        }

        @Override
        public void close() {
            synchronized (MemoryBusServer.this) {
                nodes.remove(this);
            }
            executor.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private final class Open implements Bus.Channel {
        private final Node node;
        private final String set;
        private final Bus.Receiver receiver;
        private final Set<String> subscribed = new HashSet<>();
        private Bus.Keep keep;

        Open(Node node, String set, Bus.Keep keep, Bus.Receiver receiver) {
            this.node = node;
            this.set = set;
            this.keep = keep;
            this.receiver = receiver;
        }

        @Override
        public CompletableFuture<Position> publish(String topic, SharedMessage message, Bus.Key key,
                                                   ClientNetwork client) {
            synchronized (MemoryBusServer.this) {
                Topic to = topic(set + '/' + topic);
                Position known = key == null ? null : to.keys.get(key.text());
                if (down || known == null && key != null && key.after() != null
                        && !to.keys.containsKey(key.after())) {
                    return CompletableFuture.failedFuture(HttpException.tryAgain("the bus cannot now", null));
                }
                Position at = known == null ? append(to, topic, message) : known;
                to.keys.put(key == null ? null : key.text(), at);
                return CompletableFuture.supplyAsync(() -> at, node.executor);
            }
        }

        private Position append(Topic to, String topic, SharedMessage message) {
            to.head = to.head.next();
            Message placed = placed(to.head, message);
            to.stream.add(placed);
            while (to.stream.size() > keep.messages()) {
                to.stream.remove();
            }
            nodes.forEach(other -> other.channels.stream()
                    .filter(open -> open.set.equals(set) && open.subscribed.contains(topic))
                    .forEach(open -> open.receive(topic, placed)));
            return to.head;
        }

        private static Message placed(Position position, SharedMessage message) {
            var made = new CompletableFuture<Message>();
            message.with((text, payload) -> {
                made.complete(new Message(position, text, ByteBufUtil.getBytes(payload)));
                return Unpooled.EMPTY_BUFFER;
            });
            return made.join();
        }

        private void receive(String topic, Message message) {
            if (lose > 0) {
                lose--;
                return;
            }
            Runnable delivery = () -> node.executor.execute(() -> receiver.message(topic, message.position,
                    message.text, Unpooled.wrappedBuffer(message.payload)));
            if (underWay == null) {
                delivery.run();
            } else {
                underWay.add(delivery);
            }
        }

        @Override
        public void subscribe(String topic) {
            synchronized (MemoryBusServer.this) {
                subscribed.add(topic);
                if (!down) {
                    confirm(topic);
                }
            }
        }

        void confirm(String topic) {
            node.executor.execute(() -> receiver.subscribed(topic));
        }

        @Override
        public void unsubscribe(String topic) {
            synchronized (MemoryBusServer.this) {
                subscribed.remove(topic);
            }
        }

        @Override
        public boolean isConnected(String topic) {
            return !down;
        }

        @Override
        public CompletableFuture<Bus.History> read(String topic, Position after) {
            synchronized (MemoryBusServer.this) {
                onRead.run();
                if (down) {
                    return CompletableFuture.supplyAsync(() -> fail("down"), node.executor);
                }
                Topic of = topic(set + '/' + topic);
                Position end = of.head;
                boolean certain = after == null || after.epoch() == of.head.epoch()
                        && after.offset() <= of.head.offset()
                        && of.head.offset() - after.offset() <= of.stream.size();
                List<Message> found = of.stream.stream().filter(message -> certain && (after == null
                        ? message.position.equals(of.head) : !message.position.isCoveredBy(after)))
                        .limit(READ).toList();
                return CompletableFuture.supplyAsync(() -> new Bus.History(end, certain,
                        found.stream().map(Open::topicMessage).toList()), node.executor);
            }
        }

        private static TopicMessage topicMessage(Message message) {
            var raw = new SharedMessage(message.text, Unpooled.wrappedBuffer(message.payload));
            TopicMessage placed = TopicMessage.of(message.position, raw);
            raw.release();
            return placed;
        }

        @Override
        public Roster roster() {
            return (topic, report) -> {
                synchronized (MemoryBusServer.this) {
                    return down || !nodes.contains(node) ? CompletableFuture.failedFuture(
                            HttpException.tryAgain("the bus is not connected", null))
                            : members.report(set + '/' + topic, report);
                }
            };
        }

        @Override
        public void keep(Bus.Keep next) {
            synchronized (MemoryBusServer.this) {
                keep = next;
            }
        }

        @Override
        public void close() {
            synchronized (MemoryBusServer.this) {
                subscribed.clear();
                node.channels.remove(this);
            }
        }
    }
}
