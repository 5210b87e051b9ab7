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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Responds after a wait: by a timer of the event loop, which holds no thread, or by a sleeping worker. */
public final class DelayHandler implements RouteHandler {
    private final HandlerConfig.Delay config;
    private final NumberParameter parameter;
    /** The pool whose workers sleep; null for timers. */
    private final @Nullable Offload sleepers;

    /**
     * Creates a handler for a route of kind {@code delay}.
     *
     * @param offload may be null if the mode is timer
     */
    public DelayHandler(HandlerConfig.Delay config, @Nullable Offload offload) {
        this.config = config;
        sleepers = config.mode() == HandlerConfig.Delay.Mode.BLOCKING ? offload : null;
        parameter = new NumberParameter(config.parameter(), config.duration().toMillis(),
                config.max().toMillis());
    }

    @Override
    public void handle(Exchange exchange) {
        long millis = parameter.of(exchange);
        long fibonacci = CpuHandler.fibonacci(config.fibonacci());
        Future<?> wait = sleepers == null
                ? exchange.eventLoop().schedule(() -> millis, millis, TimeUnit.MILLISECONDS)
                : sleepers.submit(exchange.clientNetwork(), exchange.deadline(),
                        exchange.eventLoop(), scope -> {
                    Thread sleeper = Thread.currentThread();
                    try (var _ = scope.onCancel(sleeper::interrupt)) {
                        Thread.sleep(millis); // on a worker, as this mode simulates blocking code
                    }
                    return millis;
                });
        exchange.onAbort(() -> wait.cancel(false));
        wait.addListener(done -> {
            if (done.isSuccess()) {
                answer(exchange, millis, fibonacci);
            } else {
                exchange.fail(done.cause());
            }
        });
    }

    private void answer(Exchange exchange, long millis, long fibonacci) {
        ByteBuf buffer = exchange.alloc().buffer(64);
        ByteBufUtil.writeAscii(buffer, "{\"delayMs\":" + millis
                + (config.fibonacci() > 0 ? ",\"fibonacci\":" + fibonacci : "") + '}');
        exchange.respond(HttpResponseStatus.OK, Json.MEDIA_TYPE, buffer);
    }
}
