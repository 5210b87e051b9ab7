package io.sluice.gateway.http1;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpRequest;
import io.sluice.gateway.limits.RequestMemory;

/** The head of a request with the {@link RequestMemory} that was taken for it, and for its trailers. */
final class ReceivedRequest extends DefaultHttpRequest {
    private int memory;

    ReceivedRequest(HttpRequest head) {
        super(head.protocolVersion(), head.method(), head.uri(), head.headers(), false); // it is valid
    }

    /** Adds bytes that were taken. */
    void addMemory(int bytes) {
        memory += bytes;
    }

    /** Returns the bytes to give back once the request has ended. */
    int memory() {
        return memory;
    }
}
