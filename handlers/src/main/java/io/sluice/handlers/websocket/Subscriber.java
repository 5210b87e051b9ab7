package io.sluice.handlers.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.Future;
import io.sluice.config.HandlerConfig;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocket.DropReason;
import io.sluice.handlers.WebSocketListener;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A socket that is subscribed to a topic. Messages wait here for a slow client, within its budget. */
final class Subscriber implements WebSocketListener {
    private static final Logger log = LoggerFactory.getLogger(Subscriber.class);

    /** The group, the index in it, and the number of the last message; maintained by the group. */
    @SuppressWarnings("NullAway.Init") // set when it joins, and used when it leaves
    LoopSubscribers group;
    int index;
    long seen;

    private final Supplier<HandlerConfig.WsTopic> config;
    private final Topics topics;
    private final String topic;
    private WebSocket socket;
    private boolean subscribed;
    /** Null if no message waits, which is the usual case. */
    private @Nullable WaitingMessages waiting;

    Subscriber(Supplier<HandlerConfig.WsTopic> config, Topics topics, String topic) {
        this.config = config;
        this.topics = topics;
        this.topic = topic;
    }

    @Override
    public void opened(WebSocket opened) {
        socket = opened;
        subscribed = true;
        SharedMessage last = topics.subscribe(topic, socket.eventLoop(), this);
        if (last != null) {
            try {
                deliver(last);
            } finally {
                last.release();
            }
        }
    }

    @Override
    public void text(WebSocket from, ByteBuf message) {
        publish(true, message);
    }

    @Override
    public void binary(WebSocket from, ByteBuf message) {
        publish(false, message);
    }

    private void publish(boolean text, ByteBuf payload) {
        if (!config.get().publish()) {
            socket.close(WebSocketCloseStatus.POLICY_VIOLATION);
            return;
        }
        // A copy: a message may be kept long, and its buffer can hold much more than the message.
        var message = new SharedMessage(text, payload.copy());
        try {
            Future<Void> caughtUp = topics.publish(topic, message, socket.eventLoop());
            if (!caughtUp.isDone()) {
                socket.pause();
                caughtUp.addListener(_ -> goOn());
            }
        } finally {
            message.release();
        }
    }

    private void goOn() {
        if (subscribed) {
            socket.resume();
        }
    }

    /** Sends a message at once, or when the client reads again. */
    void deliver(SharedMessage message) {
        if (waiting == null && socket.isWritable()) {
            socket.send(message);
            return;
        }
        if (waiting == null) {
            waiting = new WaitingMessages(socket, config.get().budget().bytes());
        }
        switch (config.get().overBudget()) {
            case DROP_OLDEST -> waiting.addDroppingOldest(message);
            case LATEST_ONLY -> waiting.replaceAll(message);
            case CLOSE -> {
                if (!waiting.addIfItFits(message)) {
                    socket.dropped(DropReason.TOO_SLOW);
                    leave(DropReason.TOO_SLOW);
                    socket.close(WebSocketCloseStatus.TRY_AGAIN_LATER);
                }
            }
        }
    }

    /** Closes the socket because a message could not be sent to it. */
    void fail(Throwable cause) {
        log.error("a message could not be sent to socket {}", socket.id(), cause);
        leave(DropReason.CLOSED);
        socket.close(WebSocketCloseStatus.INTERNAL_SERVER_ERROR);
    }

    @Override
    public void writable(WebSocket client) {
        if (waiting != null && waiting.send()) {
            waiting = null;
        }
    }

    @Override
    public void closed(WebSocket gone) {
        leave(DropReason.CLOSED);
    }

    private void leave(DropReason reason) {
        if (subscribed) {
            subscribed = false;
            topics.unsubscribe(topic, this);
        }
        if (waiting != null) {
            waiting.dropAll(reason);
            waiting = null;
        }
    }
}
