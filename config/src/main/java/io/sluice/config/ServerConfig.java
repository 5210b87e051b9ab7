package io.sluice.config;

import io.sluice.config.key.Range;
import io.sluice.config.key.Restart;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.Network;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;

/**
 * The public listener: {@code sluice.server}.
 *
 * @param reusePort whether each boss thread opens the port (SO_REUSEPORT)
 * @param workerThreads the number of event loops; 0 is one for each available processor
 * @param sendBuffer 0 leaves the size to the kernel
 * @param receiveBuffer 0 leaves the size to the kernel
 * @param writeBufferHigh unsent bytes of a connection beyond which the producer of its response waits
 * @param writeBufferLow unsent bytes below which that producer continues
 * @param serverHeader the value of the Server header; empty for none
 * @param proxyProtocol whether every connection must begin with a PROXY header
 * @param trustedProxies the proxies whose forwarding headers are trusted
 * @param maxRequestsPerConnection 0 is no limit
 */
public record ServerConfig(
        String host,
        @Range(max = 65_535) int port,
        @Restart TransportKind transport,
        @Restart @Range(min = 1, max = 64) int bossThreads,
        @Restart boolean reusePort,
        @Restart @Range(max = 1024) int workerThreads,
        @Restart @Range(min = 1, max = 65_535) int backlog,
        @Restart boolean tcpNoDelay,
        @Restart boolean tcpKeepAlive,
        @Restart @Range(max = Range.GIB) ByteSize sendBuffer,
        @Restart @Range(max = Range.GIB) ByteSize receiveBuffer,
        @Restart @Range(min = 1, max = Range.GIB) ByteSize writeBufferLow,
        @Restart @Range(min = 1, max = Range.GIB) ByteSize writeBufferHigh,
        @Range(min = 64, max = Range.MIB) ByteSize maxRequestLine,
        @Range(min = 256, max = Range.MIB) ByteSize maxHeaderBlock,
        @Range(min = 1, max = 10_000) int maxHeaders,
        TimeoutsConfig timeouts,
        String serverHeader,
        @Restart boolean proxyProtocol,
        @Range(max = 256) Set<Network> trustedProxies,
        @Range(min = 1, max = 10_000_000) int maxConnections,
        @Range(min = 1, max = 10_000_000) int maxConnectionsPerAddress,
        @Range(max = 1_000_000_000) int maxRequestsPerConnection,
        @Restart @Range(min = 10, max = Range.HOUR) Duration blockedLoopWarning) {

    /** Returns whether an address is that of a trusted proxy. */
    public boolean trusts(InetAddress address) {
        if (trustedProxies.isEmpty()) {
            return false; // the usual case, on every request
        }
        for (Network network : trustedProxies) {
            if (network.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
