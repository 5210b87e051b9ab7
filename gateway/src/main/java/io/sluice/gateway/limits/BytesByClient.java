package io.sluice.gateway.limits;

import io.sluice.offload.ClientNetwork;
import java.util.concurrent.ConcurrentHashMap;

/** The bytes that each client causes the gateway to hold. Thread-safe. */
final class BytesByClient {
    private final ConcurrentHashMap<ClientNetwork, Long> held = new ConcurrentHashMap<>();

    /** Adds bytes, or removes if negative, and returns those of the client. */
    long add(ClientNetwork client, long bytes) {
        Long sum = held.merge(client, bytes, (before, more) -> before + more == 0 ? null : before + more);
        return sum == null ? 0 : sum;
    }
}
