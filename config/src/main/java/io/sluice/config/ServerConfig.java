package io.sluice.config;

import io.sluice.config.type.ByteSize;
import io.sluice.config.type.Network;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;

/**
 * The public listener: {@code sluice.server}.
 *
 * @param reusePort whether each boss thread has the port open for itself
 * @param workerThreads 0 stands for one a processor
 * @param sendBuffer 0 leaves the size to the kernel
 * @param receiveBuffer 0 leaves the size to the kernel
 * @param serverHeader empty where no Server header is wanted
 * @param proxyProtocol whether every connection must begin with a PROXY header
 * @param trustedProxies whose word about their clients is taken
 * @param maxRequestsPerConnection 0 for as many as come
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

    /** Whether an address is a trusted proxy's. */
    public boolean trusts(InetAddress address) {
        if (trustedProxies.isEmpty()) {
            return false; // asked for every request
        }
        for (Network network : trustedProxies) {
            if (network.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
