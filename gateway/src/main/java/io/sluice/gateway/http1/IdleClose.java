package io.sluice.gateway.http1;

import io.sluice.gateway.net.Connections;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection that stays between two requests for a while. A client that sends its next request at
 * that moment gets no response; the longer it has been silent, the less likely that is.
 */
final class IdleClose {
    private final RequestDispatcher dispatcher;
    private final Connections connections;
    private boolean scheduled;

    IdleClose(RequestDispatcher dispatcher, Connections connections) {
        this.dispatcher = dispatcher;
        this.connections = connections;
    }

    /** Closes an idle connection unless a request comes within the idle grace. On the event loop. */
    void schedule() {
        if (!scheduled && dispatcher.isIdle()) {
            scheduled = true;
            long before = dispatcher.requests();
            dispatcher.context().executor().schedule(() -> closeUnlessUsed(before),
                    connections.idleGrace().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void closeUnlessUsed(long before) {
        scheduled = false;
        if (dispatcher.context().isRemoved() || !dispatcher.isIdle()) {
            return;
        }
        if (dispatcher.requests() == before) {
            dispatcher.close();
        } else if (connections.draining()) {
            schedule();
        }
    }
}
