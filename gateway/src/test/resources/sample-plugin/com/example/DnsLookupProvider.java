package com.example;

import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.HandlerProvider;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.PluginContext;
import io.sluice.handlers.RouteHandler;
import io.sluice.offload.Offload;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Answers with the addresses of the host that the path's {@code {host}} names. The resolver blocks. */
public final class DnsLookupProvider implements HandlerProvider<DnsLookup> {

    @Override
    public Class<DnsLookup> config() {
        return DnsLookup.class;
    }

    @Override
    public RouteHandler create(DnsLookup config, PluginContext context) {
        Offload pool = context.pool(config.pool());
        return exchange -> {
            String host = exchange.pathParameter("host");
            Future<String> addresses = pool.submit(exchange.clientNetwork(), exchange.deadline(),
                    exchange.eventLoop(), scope -> lookUp(host, config.maxAddresses()));
            exchange.onAbort(() -> addresses.cancel(false));
            addresses.addListener(done -> {
                if (done.isSuccess()) {
                    exchange.respond(HttpResponseStatus.OK, "text/plain",
                            ByteBufUtil.writeUtf8(exchange.alloc(), addresses.getNow()));
                } else {
                    exchange.fail(done.cause());
                }
            });
        };
    }

    private static String lookUp(String host, int max) {
        try {
            return Arrays.stream(InetAddress.getAllByName(host)).limit(max)
                    .map(InetAddress::getHostAddress).collect(Collectors.joining("\n"));
        } catch (UnknownHostException e) {
            throw new HttpException(HttpResponseStatus.NOT_FOUND, host + ": no such host", e);
        }
    }
}
