package io.sluice.handlers.upstream.connect;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Opens connections of one event loop to one endpoint. Confined to the event loop. */
@FunctionalInterface
public interface Connector {

    /**
     * Opens a connection. The user is called later than in this call, unless it fails at once.
     *
     * @param client the address in the PROXY header, if it begins with one; null if it serves no client
     */
    Opening connect(@Nullable InetSocketAddress client, User user);

    /** Receives a connection, on its event loop, or the reason why there is none. */
    interface User {

        /**
         * Called with a connection, secured if the endpoint is https, to whose pipeline the protocol's
         * handlers must be added within this call.
         *
         * @param http2 whether HTTP/2 has been negotiated (RFC 7301)
         */
        void connected(Channel channel, boolean http2);

        /** Called if no connection could be opened. */
        void failed(@Nullable Throwable cause);
    }
}
