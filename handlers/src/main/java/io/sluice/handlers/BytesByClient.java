package io.sluice.handlers;

import io.sluice.offload.ClientNetwork;
import java.util.concurrent.ConcurrentHashMap;

/** The bytes, or the number of things, that each client causes the gateway to hold. Thread-safe. */
public final class BytesByClient {
    private final ConcurrentHashMap<ClientNetwork, Long> held = new ConcurrentHashMap<>();

    /** Returns those of a client. */
    public long of(ClientNetwork client) {
        return held.getOrDefault(client, 0L);
    }

    /** Adds bytes, or removes if negative, and returns those of the client. */
    public long add(ClientNetwork client, long bytes) {
        if (bytes == 0) {
            return of(client);
        }
        Long sum = held.merge(client, bytes, (before, more) -> before + more == 0 ? null : before + more);
        return sum == null ? 0 : sum;
    }
}
