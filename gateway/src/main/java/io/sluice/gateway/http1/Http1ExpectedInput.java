package io.sluice.gateway.http1;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.gateway.exchange.HttpExchange;
import io.sluice.gateway.exchange.RequestHead;
import io.sluice.gateway.exchange.RequestId;
import io.sluice.gateway.net.ExpectedInput;
import io.sluice.handlers.HttpException;

/** Tells a connection's watch what HTTP/1 expects from the client next. */
record Http1ExpectedInput(RequestDispatcher dispatcher) implements ExpectedInput {

    @Override
    public Awaited awaited() {
        HttpExchange current = dispatcher.current();
        if (current != null) {
            return current.awaitsBody() ? Awaited.BODY : Awaited.NOTHING;
        }
        if (!dispatcher.isWaiting()) {
            return Awaited.NOTHING;
        }
        if (dispatcher.requests() == 0) {
            return Awaited.FIRST_HEAD;
        }
        return dispatcher.hasBegun() ? Awaited.HEAD : Awaited.NEXT_REQUEST;
    }

    @Override
    public long requests() {
        return dispatcher.requests();
    }

    @Override
    public void tooSlow(Awaited what) {
        HttpExchange current = dispatcher.current();
        if (what == Awaited.BODY && current != null && !current.isOver()) {
            current.tooSlow();
        } else if (what == Awaited.BODY) {
            dispatcher.close();
        } else if (dispatcher.hasBegun()) {
            dispatcher.refuse(RequestHead.unfinished(), RequestId.of(null),
                    new HttpException(HttpResponseStatus.REQUEST_TIMEOUT, "the request comes too slowly"));
        } else {
            dispatcher.close();
        }
    }
}
