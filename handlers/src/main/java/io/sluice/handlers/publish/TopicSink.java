package io.sluice.handlers.publish;

import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.topic.Bus;
import io.sluice.handlers.topic.Topics;
import io.sluice.offload.source.Message;
import io.sluice.offload.source.MessageSink;
import java.time.Duration;

/**
 * Publishes the messages of a source to topics. A message is taken when it has its position: with a bus, when
 * that has it, and once for each key. If it is refused, the source waits.
 */
public record TopicSink(Topics topics) implements MessageSink {
    /**
     * The time for which a bus remembers a message: until the database does not have it any more, or another
     * gateway or database takes over. Each takes memory there.
     */
    private static final long KEY_MILLIS = Duration.ofMinutes(10).toMillis();

    @Override
    public Future<?> accept(Message message) {
        var shared = new SharedMessage(message.text(), Unpooled.wrappedBuffer(message.payload()));
        try {
            var key = new Bus.Key(message.key(), message.after(), KEY_MILLIS);
            return topics.publish(message.topic(), shared, key, ImmediateEventExecutor.INSTANCE);
        } catch (HttpException e) {
            return ImmediateEventExecutor.INSTANCE.newFailedFuture(e);
        } finally {
            shared.release();
        }
    }
}
