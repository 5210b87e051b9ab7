package io.sluice.handlers.live;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.FullHttpResponse;

/** Describes failures to clients. */
@FunctionalInterface
public interface Problems {

    /** Returns the response to a failure, owned by the caller, whose body is a line of JSON. */
    FullHttpResponse of(Throwable cause, String requestId, ByteBufAllocator alloc);
}
