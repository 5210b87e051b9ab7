package io.sluice.handlers.topic;

import io.sluice.config.topic.OverBudget;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.WebSocket.DropReason;
import io.sluice.handlers.rights.Caller;
import io.sluice.offload.ClientNetwork;
import java.util.ArrayList;
import java.util.List;

/** A subscriber whose client reads only while a test lets it, and which gets no message of a topic. */
class SlowClient extends PacedSubscriber {
    static final ClientNetwork NETWORK = new ClientNetwork(1, false);

    final List<DropReason> dropped = new ArrayList<>();
    boolean writable;
    boolean hasPositions;

    @Override
    protected boolean isWritable() {
        return writable;
    }

    @Override
    protected boolean hasPositions() {
        return hasPositions;
    }

    @Override
    protected void dropped(DropReason reason) {
        dropped.add(reason);
    }

    @Override
    protected ClientNetwork client() {
        return NETWORK;
    }

    @Override
    protected Caller caller() {
        return Caller.ANONYMOUS;
    }

    @Override
    protected long budget() {
        return 0;
    }

    @Override
    protected OverBudget overBudget() {
        return OverBudget.CLOSE;
    }

    @Override
    protected void send(TopicMessage message) {
        throw new AssertionError("a message of the topic");
    }

    @Override
    protected void sendPresence(SharedMessage state) {
        throw new AssertionError("a state");
    }

    @Override
    protected void tooSlow() {
        throw new AssertionError("too slow");
    }

    @Override
    protected void forbidden() {
        throw new AssertionError("forbidden");
    }

    @Override
    protected void fail(Throwable cause) {
        throw new AssertionError(cause);
    }
}
