package com.example;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HandlerProvider;
import io.sluice.handlers.PluginContext;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.Tunnel;
import io.sluice.handlers.TunnelConnection;
import io.sluice.handlers.Upgrade;
import io.sluice.offload.Deadline;
import io.sluice.offload.Offload;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Tunnels that send back the received text in capitals, by way of a pool. */
public final class ShoutProvider implements HandlerProvider<Shout> {

    @Override
    public Class<Shout> config() {
        return Shout.class;
    }

    @Override
    public RouteHandler create(Shout config, PluginContext context) {
        Offload pool = context.pool(config.pool());
        return exchange -> {
            Upgrade upgrade = exchange.upgrade().orElseThrow();
            upgrade.accept(upgrade.protocols().getFirst(), new DefaultHttpHeaders(),
                    new Shouting(pool, config.suffix(), exchange));
        };
    }

    private static final class Shouting implements Tunnel {
        private final Offload pool;
        private final String suffix;
        private final Exchange request;
        private TunnelConnection connection;

        Shouting(Offload pool, String suffix, Exchange request) {
            this.pool = pool;
            this.suffix = suffix;
            this.request = request;
        }

        @Override
        public void opened(TunnelConnection opened) {
            connection = opened;
        }

        @Override
        public void read(ByteBuf bytes) {
            String text = bytes.toString(StandardCharsets.US_ASCII);
            bytes.release();
            Future<String> shouted = pool.submit(request.clientNetwork(),
                    Deadline.never(request.deadline().clock()), connection.eventLoop(),
                    scope -> text.toUpperCase(Locale.ROOT) + suffix);
            shouted.addListener(done ->
                    say(done.isSuccess() ? shouted.getNow() : done.cause().toString()));
        }

        /** Says goodbye, and leaves it to the client to close the tunnel. */
        @Override
        public void drain() {
            say("bye");
        }

        private void say(String text) {
            connection.write(ByteBufUtil.writeAscii(connection.alloc(), text));
            connection.flush();
        }

        @Override
        public void closed() {
        }
    }
}
