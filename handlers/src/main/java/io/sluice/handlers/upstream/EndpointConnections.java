package io.sluice.handlers.upstream;

import io.sluice.handlers.upstream.connect.Opening;

/** The connections of one event loop to one endpoint. Confined to the event loop. */
interface EndpointConnections {

    /** Provides a stream: within this call if a connection can carry one, otherwise when one is opened. */
    Opening open(StreamUser user);

    /** Returns about how many connections carry no request. Any thread. */
    int idle();

    /** Closes idle connections, and each other one when its last response has ended. */
    void close();
}
