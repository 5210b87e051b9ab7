package io.sluice.config;

import io.sluice.config.type.ByteSize;
import io.sluice.config.type.OriginPattern;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * How the sockets of a route are served: {@code socket}, in routes whose kind begins with {@code ws-}.
 *
 * @param maxFrame of what a client sends
 * @param maxMessage of what a client sends, inflated
 * @param compression whether permessage-deflate is agreed on with clients that offer it
 * @param compressFrom the smallest message that is sent compressed
 * @param pingInterval from the last that was heard of a client to a ping
 * @param idleTimeout from the last that was heard of a client, pongs included, to the end
 * @param closeTimeout how long a client may take to answer a close
 * @param origins whose pages may open sockets
 * @param subprotocols that clients may ask for
 */
public record SocketConfig(
        @Range(min = 125, max = Range.GIB) ByteSize maxFrame,
        @Range(min = 125, max = Range.GIB) ByteSize maxMessage,
        boolean compression,
        @Range(max = Range.GIB) ByteSize compressFrom,
        @Range(min = 10, max = Range.DAY) Duration pingInterval,
        @Range(min = 10, max = Range.DAY) Duration idleTimeout,
        @Range(min = 10, max = Range.HOUR) Duration closeTimeout,
        Set<OriginPattern> origins,
        Optional<Set<String>> subprotocols) {
}
