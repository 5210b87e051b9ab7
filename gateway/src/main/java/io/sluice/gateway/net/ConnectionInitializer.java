package io.sluice.gateway.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.sluice.config.TimeoutsConfig;

/** What a connection that was accepted begins with: a {@link ConnectionWatch} and its first protocol. */
public final class ConnectionInitializer extends ChannelInitializer<Channel> {
    private final TimeoutsConfig timeouts;
    private final Connections connections;
    private final ConnectionWatches watches;
    private final Protocol protocol;

    /** An initializer for a listener's connections. */
    public ConnectionInitializer(TimeoutsConfig timeouts, Connections connections, Protocol protocol,
                                 ConnectionWatches watches) {
        this.timeouts = timeouts;
        this.connections = connections;
        this.protocol = protocol;
        this.watches = watches;
    }

    @Override
    protected void initChannel(Channel channel) {
        // Asked for while it is there to be asked for; the channel remembers.
        channel.remoteAddress();
        connections.add(channel);
        protocol.addTo(channel.pipeline(), watches.watch(channel, timeouts));
    }
}
