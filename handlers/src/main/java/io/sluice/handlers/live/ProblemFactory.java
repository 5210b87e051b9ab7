package io.sluice.handlers.live;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.FullHttpResponse;

/** Makes the problem response to a failure. */
@FunctionalInterface
public interface ProblemFactory {

    /** Returns the response to a failure, owned by the caller, whose body is a line of JSON. */
    FullHttpResponse of(Throwable cause, String requestId, ByteBufAllocator alloc);
}
