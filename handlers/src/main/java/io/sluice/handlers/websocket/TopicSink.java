package io.sluice.handlers.websocket;

import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import io.sluice.offload.source.Message;
import io.sluice.offload.source.MessageSink;

/**
 * Publishes the messages of a source to the topics of this process. A message is taken when it has its place
 * in the topic's order. If messages arrive faster than they can be sent it is refused, and the source waits.
 */
public record TopicSink(Topics topics) implements MessageSink {

    @Override
    public Future<?> accept(Message message) {
        var shared = new SharedMessage(message.text(), Unpooled.wrappedBuffer(message.payload()));
        try {
            topics.publish(message.topic(), shared);
            return ImmediateEventExecutor.INSTANCE.newSucceededFuture(null);
        } catch (HttpException e) {
            return ImmediateEventExecutor.INSTANCE.newFailedFuture(e);
        } finally {
            shared.release();
        }
    }
}
