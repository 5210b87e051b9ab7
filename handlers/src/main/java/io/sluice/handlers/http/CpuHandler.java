package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.Future;
import io.sluice.config.HandlerConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.json.Json;
import io.sluice.offload.Offload;
import java.util.BitSet;

/** Computes Fibonacci numbers or counts primes: small inputs on the event loop, larger ones on a pool. */
public final class CpuHandler implements RouteHandler {
    private final HandlerConfig.Cpu config;
    private final NumberParameter parameter;
    private final Offload offload;

    /** Creates a handler for a route of kind {@code cpu}. */
    public CpuHandler(HandlerConfig.Cpu config, Offload offload) {
        this.config = config;
        this.offload = offload;
        parameter = new NumberParameter(config.parameter(), config.defaultN(), config.maxN());
    }

    @Override
    public void handle(Exchange exchange) {
        int n = (int) parameter.of(exchange);
        if (n <= config.inlineLimit()) {
            answer(exchange, n, compute(n));
            return;
        }
        Future<Long> result = offload.submit(exchange.clientNetwork(), exchange.deadline(),
                exchange.eventLoop(), scope -> compute(n));
        exchange.onAbort(() -> result.cancel(false));
        result.addListener(done -> {
            if (done.isSuccess()) {
                answer(exchange, n, result.getNow());
            } else {
                exchange.fail(done.cause());
            }
        });
    }

    private long compute(int n) {
        return switch (config.algorithm()) {
            case FIBONACCI -> fibonacci(n);
            case SIEVE -> primesUpTo(n);
        };
    }

    private void answer(Exchange exchange, int n, long result) {
        ByteBuf buffer = exchange.alloc().buffer(64);
        ByteBufUtil.writeAscii(buffer, "{\"n\":" + n + ",\"result\":" + result + '}');
        exchange.respond(HttpResponseStatus.OK, Json.MEDIA_TYPE, buffer);
    }

    /** Returns the n-th Fibonacci number; fits a long for n up to 90. */
    static long fibonacci(int n) {
        long a = 0;
        long b = 1;
        for (int i = 0; i < n; i++) {
            long next = a + b;
            a = b;
            b = next;
        }
        return a;
    }

    /** Counts the primes up to n with the sieve of Eratosthenes. */
    static long primesUpTo(int n) {
        if (n < 2) {
            return 0;
        }
        BitSet composite = new BitSet(n + 1);
        for (int p = 2; (long) p * p <= n; p++) {
            if (!composite.get(p)) {
                for (int multiple = p * p; multiple <= n; multiple += p) {
                    composite.set(multiple);
                }
            }
        }
        return n - 1L - composite.cardinality();
    }
}
