package io.sluice.gateway.limits;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.sluice.offload.RareWarning;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauses a listener for {@value #PAUSE_MILLIS} ms after accepting a connection failed, as it does while the
 * process has too many open files. Without the pause, the listener would be ready and fail in a loop. New
 * connections wait in the backlog.
 */
public final class AcceptPause extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(AcceptPause.class);
    private static final long PAUSE_MILLIS = 200;

    private final RareWarning warnings = new RareWarning();
    private final long files = OpenFiles.limit();

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            context.fireExceptionCaught(cause);
            return;
        }
        context.executor().schedule(() -> context.channel().config().setAutoRead(true), PAUSE_MILLIS,
                TimeUnit.MILLISECONDS);
        context.channel().config().setAutoRead(false); // after scheduling, which may fail
        if (warnings.tryTake()) {
            log.warn("no connection can be accepted: {} (this process may open {} files: ulimit -n); it is "
                    + "tried again every {} ms", cause.getMessage(), files, PAUSE_MILLIS);
        }
    }
}
