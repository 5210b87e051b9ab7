package io.sluice.gateway.offload;

/** Kinds of outages of a database. */
enum Outage {
    /** The port is closed, and connections are reset, as after the process was killed. */
    REFUSED,
    /**
     * Connections are reset, new ones as soon as they are accepted, as by a load balancer without a backend.
     */
    CUT,
    /**
     * No bytes come back on any connection, and new ones are accepted. Connections stay silent afterwards, as
     * if the machine was lost and another one had taken its address.
     */
    LOST,
    /**
     * No bytes pass on any connection. All connections continue afterwards, as after a fault of the network.
     */
    FROZEN
}
