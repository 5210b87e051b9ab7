package io.sluice.gateway.offload;

/** A way in which a database can be gone. */
enum Outage {
    /** Its port is closed, and connections are reset: the process was killed. */
    REFUSED,
    /** Connections are reset, new ones as soon as they are accepted: a balancer without a backend. */
    CUT,
    /**
     * Nothing comes back on any connection, new ones are accepted; those stay silent when it is over:
     * the machine is lost, and another takes its address.
     */
    LOST,
    /** The same, but all goes on where it stood when it is over: a network that fails for a while. */
    FROZEN
}
