package io.sluice.handlers.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.Future;
import io.sluice.config.topic.OverBudget;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocket.DropReason;
import io.sluice.handlers.WebSocketListener;
import io.sluice.handlers.rights.Caller;
import io.sluice.handlers.rights.Right;
import io.sluice.handlers.topic.PacedSubscriber;
import io.sluice.handlers.topic.TopicMessage;
import io.sluice.offload.ClientNetwork;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A socket that is subscribed to a topic, and may publish to it. */
final class SocketSubscriber extends PacedSubscriber implements WebSocketListener {
    private static final Logger log = LoggerFactory.getLogger(SocketSubscriber.class);

    private final TopicHandler route;
    private final String topic;
    private final Caller caller;
    /** The position of the client at its handshake; null for a client without positions. */
    private final @Nullable String after;
    private final boolean presence;
    private WebSocket socket;

    SocketSubscriber(TopicHandler route, String topic, Caller caller, @Nullable String after,
                     boolean presence) {
        this.route = route;
        this.topic = topic;
        this.caller = caller;
        this.after = after;
        this.presence = presence;
    }

    @Override
    public void opened(WebSocket opened) {
        socket = opened;
        route.topics().subscribe(topic, socket.eventLoop(), this, after);
        if (presence) {
            route.topics().watch(topic, socket.eventLoop(), this);
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
        if (!route.config().publish() || !route.topics().rights().allow(Right.PUBLISH, topic, caller)) {
            socket.close(WebSocketCloseStatus.POLICY_VIOLATION);
            return;
        }
        // A copy: a message may be kept long, and its buffer can hold much more than the message.
        var message = new SharedMessage(text, payload.copy());
        try {
            Future<?> published = route.topics().publishPaced(topic, message, client(), socket.eventLoop());
            if (!published.isSuccess()) {
                socket.pause();
                published.addListener(this::published);
            }
        } catch (HttpException e) {
            log.debug("a message of socket {} was not published: {}", socket.id(), e.getMessage());
            socket.close(WebSocketCloseStatus.TRY_AGAIN_LATER);
        } finally {
            message.release();
        }
    }

    /** Goes on, or closes the socket: its client cannot know otherwise that a message was not published. */
    private void published(Future<?> published) {
        if (!isSubscribed()) {
            return;
        }
        if (published.isSuccess()) {
            socket.resume();
        } else {
            log.debug("a message of socket {} was not published", socket.id(), published.cause());
            socket.close(WebSocketCloseStatus.TRY_AGAIN_LATER);
        }
    }

    @Override
    protected boolean isWritable() {
        return socket.isWritable();
    }

    @Override
    protected boolean hasPositions() {
        return after != null;
    }

    @Override
    protected void send(TopicMessage message) {
        socket.send(after == null ? message.raw() : message.enveloped());
    }

    @Override
    protected void sendPresence(SharedMessage state) {
        socket.send(state);
    }

    @Override
    protected void dropped(DropReason reason) {
        socket.dropped(reason);
    }

    @Override
    protected ClientNetwork client() {
        return ClientNetwork.of(socket.clientAddress().getAddress());
    }

    @Override
    protected long budget() {
        return route.config().budget().bytes();
    }

    @Override
    protected OverBudget overBudget() {
        return route.config().overBudget();
    }

    @Override
    protected void tooSlow() {
        route.topics().unsubscribe(topic, this);
        socket.close(WebSocketCloseStatus.TRY_AGAIN_LATER);
    }

    @Override
    protected Caller caller() {
        return caller;
    }

    @Override
    protected void forbidden() {
        leave();
        socket.close(WebSocketCloseStatus.POLICY_VIOLATION);
    }

    /** Closes the socket because a message could not be sent to it. */
    @Override
    protected void fail(Throwable cause) {
        log.error("a message could not be sent to socket {}", socket.id(), cause);
        leave();
        socket.close(WebSocketCloseStatus.INTERNAL_SERVER_ERROR);
    }

    @Override
    public void writable(WebSocket client) {
        sendWaiting();
    }

    @Override
    public void closed(WebSocket gone) {
        leave();
    }

    private void leave() {
        route.topics().unsubscribe(topic, this);
        dropWaiting(DropReason.CLOSED);
    }
}
