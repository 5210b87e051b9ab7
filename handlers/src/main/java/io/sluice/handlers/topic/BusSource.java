package io.sluice.handlers.topic;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.sluice.config.topic.TopicsConfig;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.presence.Roster;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Guard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Messages of a bus, which gives them their positions. A topic is subscribed on the bus while it has
 * subscribers here, and a moment longer.
 */
final class BusSource implements Source {
    /** The time for which a topic without subscribers stays subscribed, as others may follow soon. */
    static final long LINGER_MILLIS = 5000;
    /** The longest time until a topic is subscribed. */
    private static final long READY_MILLIS = 2000;
    /** The time after which a read of the bus's history is repeated that has failed or found nothing. */
    private static final long RETRY_MILLIS = 500;
    /** The time to wait for messages that a subscriber has already received from another gateway. */
    private static final long BEHIND_MILLIS = 20;
    /** The age of a last message without a history. */
    private static final long LAST_MILLIS = Duration.ofDays(1).toMillis();
    private static final Guard GUARD = new Guard(LoggerFactory.getLogger(BusSource.class),
            "topics could not be checked for lost messages; there will be other checks");

    private final TopicTable table;
    private final Bus bus;
    private final Bus.Channel channel;
    private final Continuity continuity;
    private final SharedReads reads;
    private final Future<?> checks;
    private final long lingerMillis;
    private volatile boolean keeps;

    BusSource(String set, TopicsConfig config, TopicTable table, Bus bus, long lingerMillis) {
        this.table = table;
        this.bus = bus;
        this.lingerMillis = lingerMillis;
        continuity = new Continuity(table, bus.executor());
        keeps = config.history().isPresent();
        channel = bus.open(set, keep(config), continuity);
        continuity.reads(channel);
        reads = new SharedReads(channel::readOn, bus.executor());
        checks = bus.executor().scheduleWithFixedDelay(() -> GUARD.run(continuity::check),
                Continuity.STEP_MILLIS, Continuity.STEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static Bus.Keep keep(TopicsConfig config) {
        return config.history().map(history -> new Bus.Keep(history.messages(), history.age().toMillis()))
                .orElse(new Bus.Keep(config.lastMessages().bytes() > 0 ? 1 : 0, LAST_MILLIS));
    }

    @Override
    public void update(TopicsConfig config) {
        keeps = config.history().isPresent();
        channel.keep(keep(config));
    }

    @Override
    public Future<Published> publish(String topic, SharedMessage message, Bus.@Nullable Key key,
                                     @Nullable ClientNetwork client, EventExecutor loop) {
        Topic here = table.topics.get(topic);
        if (here != null && table.bytesUnderWay.isFull(null)) {
            throw Topics.tooFast(topic);
        }
        Promise<Published> published = loop.newPromise();
        int subscribers = here == null ? 0 : here.subscribers();
        channel.publish(topic, message, key, client).whenComplete((position, failure) -> {
            if (failure == null) {
                published.setSuccess(new Published(subscribers, position));
            } else {
                published.setFailure(failure instanceof CompletionException ? failure.getCause() : failure);
            }
        });
        return published;
    }

    @Override
    public Future<?> publishPaced(String topic, SharedMessage message, ClientNetwork client,
                                  EventExecutor publisher) {
        return publish(topic, message, null, client, publisher);
    }

    @Override
    public Future<?> ready(String name, EventExecutor loop) {
        if (!channel.isConnected(name)) {
            return loop.newFailedFuture(HttpException.tryAgain("topic: %s: the bus is not connected"
                    .formatted(name), null));
        }
        Promise<Void> ready = loop.newPromise();
        table.topics.compute(name, (_, found) -> {
            BusTopic topic = found == null ? open(name) : (BusTopic) found;
            if (topic.state() == BusTopic.State.LIVE) {
                ready.setSuccess(null);
            } else {
                topic.await(ready);
            }
            return topic;
        });
        if (!ready.isDone()) {
            Future<?> timeout = loop.schedule(() -> ready.tryFailure(HttpException.tryAgain(
                    "topic: %s: the bus has not subscribed it within %d ms".formatted(name, READY_MILLIS),
                    null)), READY_MILLIS, TimeUnit.MILLISECONDS);
            ready.addListener(_ -> timeout.cancel(false));
        }
        return ready;
    }

    @Override
    public BusTopic open(String name) {
        var topic = new BusTopic(table.bytesWaiting);
        channel.subscribe(name);
        linger(name, topic);
        return topic;
    }

    @Override
    public Topic abandon(String name, Topic topic) {
        linger(name, (BusTopic) topic);
        return topic;
    }

    private void linger(String name, BusTopic topic) {
        topic.linger(bus.executor().schedule(() -> {
            table.topics.computeIfPresent(name, (_, found) -> {
                if (!topic.isEmpty() || found != topic) {
                    return found;
                }
                if (topic.isAwaited()) {
                    linger(name, topic);
                    return found;
                }
                channel.unsubscribe(name);
                end(name, topic);
                return null;
            });
        }, lingerMillis, TimeUnit.MILLISECONDS));
    }

    private void end(String name, BusTopic topic) {
        topic.linger(null);
        topic.lost(HttpException.tryAgain("topic: %s: it has ended".formatted(name), null));
        table.lastMessages.forget(name);
        table.history.forget(name);
    }

    @Override
    public List<TopicMessage> next(CatchUp catchUp) {
        String name = catchUp.topic();
        Position at = catchUp.at();
        var next = new ArrayList<TopicMessage>();
        var read = new boolean[1];
        table.topics.compute(name, (_, found) -> {
            BusTopic topic = found == null ? open(name) : (BusTopic) found;
            Position head = topic.head();
            List<TopicMessage> missed =
                    head == null || at == null || at.equals(head) ? null : table.missed(name, at);
            if (head == null) {
                resumeLive(catchUp, topic);
            } else if (missed != null && !missed.isEmpty()) {
                next.addAll(missed);
            } else if (at == null || at.equals(head) || !keeps && !isAhead(at, head)) {
                next.addAll(table.join(topic, catchUp, head));
            } else {
                read[0] = true;
            }
            return topic;
        });
        if (read[0] && at != null) {
            catchUp.onReadStart();
            reads.read(name, at, catchUp.loop(), history -> arrived(catchUp, at, history));
        }
        return next;
    }

    private static boolean isAhead(Position at, Position head) {
        return at.isOf(head.epoch()) && !at.isCoveredBy(head);
    }

    private void arrived(CatchUp catchUp, Position after, Bus.@Nullable History history) {
        catchUp.onReadEnd();
        if (history == null) {
            catchUp.loop().schedule(catchUp::resume, RETRY_MILLIS, TimeUnit.MILLISECONDS);
        } else if (!history.certain()) {
            catchUp.missed();
        } else if (history.messages().isEmpty()) {
            awaitNext(catchUp);
        } else if (history.end().isOf(after.epoch())) {
            catchUp.arrived(history.messages());
        } else {
            var messages = new ArrayList<>(List.of(table.resync(history.end().beginning())));
            messages.addAll(history.messages());
            catchUp.arrived(messages);
        }
    }

    /**
     * Goes on when this gateway has what the subscriber has. While the topic reads what it has missed, that
     * read serves all that wait; if it takes long, as under a load that goes on, they read seldom.
     */
    private void awaitNext(CatchUp catchUp) {
        Promise<Void> next = catchUp.loop().newPromise();
        var live = new boolean[1];
        table.topics.computeIfPresent(catchUp.topic(), (_, found) -> {
            BusTopic topic = (BusTopic) found;
            live[0] = topic.state() == BusTopic.State.LIVE;
            if (!live[0]) {
                topic.await(next);
            }
            return topic;
        });
        Future<?> timeout = catchUp.loop().schedule(() -> next.trySuccess(null),
                live[0] ? BEHIND_MILLIS : RETRY_MILLIS, TimeUnit.MILLISECONDS);
        next.addListener(_ -> {
            timeout.cancel(false);
            catchUp.resume();
        });
    }

    private static void resumeLive(CatchUp catchUp, BusTopic topic) {
        Promise<Void> live = catchUp.loop().newPromise();
        live.addListener(_ -> catchUp.resume());
        topic.await(live);
    }

    @Override
    public Roster roster() {
        return channel.roster();
    }

    @Override
    public void close() {
        checks.cancel(false);
        channel.close();
        table.topics.keySet().forEach(name -> table.topics.computeIfPresent(name, (_, topic) -> {
            end(name, (BusTopic) topic);
            return null;
        }));
    }
}
