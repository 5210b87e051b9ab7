package io.sluice.gateway.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.sluice.config.TimeoutsConfig;

/** Sets up the pipeline of an accepted connection: a {@link ConnectionWatch} and the first protocol. */
public final class ConnectionInitializer extends ChannelInitializer<Channel> {
    private final TimeoutsConfig timeouts;
    private final Connections connections;
    private final ConnectionWatches watches;
    private final Protocol protocol;

    /** Creates an initializer for a listener's connections. */
    public ConnectionInitializer(TimeoutsConfig timeouts, Connections connections, Protocol protocol,
                                 ConnectionWatches watches) {
        this.timeouts = timeouts;
        this.connections = connections;
        this.protocol = protocol;
        this.watches = watches;
    }

    @Override
    protected void initChannel(Channel channel) {
        // The channel caches the address; after a disconnect it could not be found out any more.
        channel.remoteAddress();
        connections.add(channel);
        protocol.addTo(channel.pipeline(), watches.watch(channel, timeouts));
    }
}
