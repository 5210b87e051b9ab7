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
import org.jspecify.annotations.Nullable;

/**
 * Publishes the messages of a source to topics. A message is taken when it has its position: with a bus, when
 * that has it, and once for each key that it remembers. If messages come faster than they can be sent, the
 * source waits.
 */
public record TopicSink(Topics topics) implements MessageSink {
    /** Keys of requests do not begin with this. */
    private static final String PREFIX = "source:";

    @Override
    public @Nullable Future<?> accept(Message message) {
        String after = message.after() == null ? null : PREFIX + message.after();
        var shared = new SharedMessage(message.text(), Unpooled.wrappedBuffer(message.payload()));
        try {
            var key = new Bus.Key(PREFIX + message.key(), after);
            return topics.publish(message.topic(), shared, key, null, ImmediateEventExecutor.INSTANCE);
        } catch (HttpException e) { // too fast
            return null;
        } finally {
            shared.release();
        }
    }
}
