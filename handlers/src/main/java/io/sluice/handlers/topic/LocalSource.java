package io.sluice.handlers.topic;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.sluice.config.topic.TopicsConfig;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.presence.LocalRoster;
import io.sluice.handlers.presence.Roster;
import io.sluice.offload.ClientNetwork;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are published in this process, and get their positions here. When nothing is left of a topic,
 * its epoch ends.
 */
final class LocalSource implements Source {
    private final TopicTable table;

    LocalSource(TopicTable table) {
        this.table = table;
    }

    @Override
    public Future<Published> publish(String topic, SharedMessage message, Bus.@Nullable Key key,
                                     @Nullable ClientNetwork client, EventExecutor loop) {
        int subscribers = deliver(topic, message, client, null).subscribers();
        return loop.newSucceededFuture(new Published(subscribers, null));
    }

    @Override
    public Future<?> publishPaced(String topic, SharedMessage message, ClientNetwork client,
                                  EventExecutor publisher) {
        return deliver(topic, message, client, publisher).caughtUp(publisher);
    }

    /** Delivers a message. If messages arrive too fast, a publisher that is given waits; others get 503. */
    private Delivery deliver(String name, SharedMessage message, @Nullable ClientNetwork client,
                             @Nullable EventExecutor publisher) {
        var made = new Delivery[1];
        table.topics.compute(name, (_, topic) -> {
            Promise<Void> caughtUp = null;
            if (topic != null && table.isBehind(topic, client)) {
                if (publisher == null) {
                    throw Topics.tooFast(name);
                }
                caughtUp = publisher.newPromise();
            }
            TopicMessage placed = TopicMessage.of(table.localHead(name, topic).next(), message);
            made[0] = table.deliver(name, topic, placed, caughtUp, client);
            placed.release();
            if (topic == null) {
                table.forget(name);
            }
            return topic;
        });
        made[0].done();
        return made[0];
    }

    @Override
    public Future<?> ready(String topic, EventExecutor loop) {
        return loop.newSucceededFuture(null);
    }

    @Override
    public Topic open(String name) {
        return new Topic(table.localHead(name, null));
    }

    @Override
    public @Nullable Topic abandon(String name, Topic topic) {
        if (table.localHead(name, topic).offset() > 0) {
            table.forget(name);
        }
        return null;
    }

    @Override
    public List<TopicMessage> next(CatchUp catchUp) {
        var next = new ArrayList<TopicMessage>();
        String name = catchUp.topic();
        table.topics.compute(name, (_, found) -> {
            Position head = table.localHead(name, found);
            Position at = catchUp.at();
            List<TopicMessage> missed = at == null || at.equals(head) ? null : table.missed(name, at);
            if (missed != null && !missed.isEmpty()) {
                next.addAll(missed);
                return found;
            }
            Topic topic = found == null ? new Topic(head) : found;
            next.addAll(table.join(topic, catchUp, head));
            return topic;
        });
        return next;
    }

    @Override
    public Roster roster() {
        return new LocalRoster();
    }

    @Override
    public void update(TopicsConfig config) {
        // TopicTable applies the new settings
    }

    @Override
    public void close() {
        // There is nothing but the table.
    }
}
