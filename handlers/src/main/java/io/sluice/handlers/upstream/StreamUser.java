package io.sluice.handlers.upstream;

import io.netty.util.AttributeMap;
import java.net.InetSocketAddress;

/** Receives a stream to an endpoint, on its event loop, or the reason why there is none. */
public interface StreamUser {

    /** Returns the address of the client; port 0 if only that of its host is known. */
    InetSocketAddress client();

    /** Returns attributes of the client's connection, which outlive the request. */
    AttributeMap connection();

    /** Returns whether the request asks to switch protocols, which needs a connection of HTTP/1.1. */
    boolean switchesProtocol();

    /** Called with a stream for one request. */
    void opened(UpstreamStream stream);

    /** Called if no stream could be opened. */
    void failed(UpstreamException cause);
}
