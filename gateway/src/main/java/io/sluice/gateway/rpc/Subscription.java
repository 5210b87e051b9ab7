package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.sluice.config.HandlerConfig;
import io.sluice.config.topic.OverBudget;
import io.sluice.gateway.exchange.RoutedExchange;
import io.sluice.gateway.tunnel.DrainableSet;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocket;
import io.sluice.handlers.WebSocket.DropReason;
import io.sluice.handlers.rights.Caller;
import io.sluice.handlers.topic.PacedSubscriber;
import io.sluice.handlers.topic.TopicMessage;
import io.sluice.handlers.topic.Topics;
import io.sluice.offload.ClientNetwork;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One subscription of a WebSocket to a topic. Confined to its event loop. */
final class Subscription extends PacedSubscriber {
    private static final Logger log = LoggerFactory.getLogger(Subscription.class);
    /** The bytes of the objects for a subscription and its topic, besides its id and the topic's name. */
    private static final int HEAP = 1024;
    /** In bytes. Of longer messages, which are never compressed, subscriptions share the memory. */
    private static final int COPIED = 64 * 1024;

    private final Subscriptions all;
    private final WebSocket socket;
    private final Supplier<HandlerConfig.WsRpc> config;
    private final String id;
    private final Topics topics;
    private final String topic;
    private final Caller caller;
    private final boolean presence;
    private final DrainableSet ofRoute;
    private final DrainableSet.EndlessExchange endless;

    Subscription(Subscriptions all, WebSocket socket, Supplier<HandlerConfig.WsRpc> config, String id,
                 Topics topics, String topic, RoutedExchange request) {
        this.all = all;
        this.socket = socket;
        this.config = config;
        this.id = id;
        this.topics = topics;
        this.topic = topic;
        caller = Caller.of(request);
        presence = topics.asksForPresence(request);
        ofRoute = request.tunnels();
        endless = new DrainableSet.EndlessExchange(socket.eventLoop(), request.credential(), this::end);
    }

    /** Returns the JSON value of its id. */
    String id() {
        return id;
    }

    /** Returns how many bytes of the heap it occupies until its end. */
    int heap() {
        return HEAP + id.length() + topic.length();
    }

    /**
     * Begins the subscription.
     *
     * @param after the last position that the client has seen; empty for the present
     */
    void begin(String after) {
        ofRoute.add(endless);
        topics.subscribe(topic, socket.eventLoop(), this, after);
        if (presence) {
            topics.watch(topic, socket.eventLoop(), this);
        }
    }

    @Override
    protected boolean hasPositions() {
        return true;
    }

    /** Is asked before everything that is sent. */
    @Override
    protected boolean isWritable() {
        boolean writable = socket.isWritable();
        if (!writable) {
            all.await(this);
        }
        return writable;
    }

    /** Sends the message in its envelope, with the id as its first member. */
    @Override
    protected void send(TopicMessage message) {
        send(message.enveloped());
    }

    @Override
    protected void sendPresence(SharedMessage state) {
        send(state);
    }

    private void send(SharedMessage object) {
        socket.sendText(object.with((_, json) -> withId(socket.alloc(), id, json)));
    }

    /** Returns an object with the id as its first member; the object stays its caller's. */
    static ByteBuf withId(ByteBufAllocator alloc, String id, ByteBuf json) {
        int rest = json.readableBytes() - 1;
        boolean copied = rest <= COPIED;
        ByteBuf text = alloc.buffer(id.length() + 32 + (copied ? rest : 0));
        try {
            ByteBufUtil.writeUtf8(text, "{\"subscription\":" + id + ',');
            if (copied) {
                return text.writeBytes(json, json.readerIndex() + 1, rest);
            }
            return alloc.compositeBuffer(2)
                    .addComponents(true, text, json.retainedSlice(json.readerIndex() + 1, rest));
        } catch (Throwable e) { // memory may have run out
            text.release();
            throw e;
        }
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
        return config.get().budget().bytes();
    }

    @Override
    protected OverBudget overBudget() {
        return config.get().overBudget();
    }

    @Override
    protected void tooSlow() {
        end();
    }

    @Override
    protected void fail(Throwable cause) {
        log.error("a message could not be sent to socket {}", socket.id(), cause);
        end();
    }

    @Override
    protected Caller caller() {
        return caller;
    }

    @Override
    protected void forbidden() {
        end();
    }

    void writable() {
        sendWaiting();
    }

    /** Ends the subscription, and tells the client. */
    private void end() {
        if (isSubscribed()) {
            leave();
            socket.sendText(ByteBufUtil.writeUtf8(socket.alloc(),
                    "{\"subscription\":" + id + ",\"closed\":true}"));
        }
    }

    /** Ends the subscription. */
    void leave() {
        topics.unsubscribe(topic, this);
        ofRoute.remove(endless);
        dropWaiting(DropReason.CLOSED);
        all.ended(this);
    }
}
