package io.sluice.gateway.filter;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** Records the lines of all loggers at TRACE until it is closed. */
final class EveryLogLine extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Map<Logger, Level> levels = new HashMap<>();
    private final List<Logger> roots = new ArrayList<>();

    EveryLogLine() {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        start();
        for (Logger logger : context.getLoggerList()) {
            levels.put(logger, logger.getLevel());
            logger.setLevel(Level.TRACE);
            if (logger.getName().equals(Logger.ROOT_LOGGER_NAME) || !logger.isAdditive()) {
                logger.addAppender(this);
                roots.add(logger);
            }
        }
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(event.getFormattedMessage() + event.getMDCPropertyMap()
                + ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }

    String text() {
        return String.join("\n", lines);
    }

    @Override
    public void close() {
        roots.forEach(logger -> logger.detachAppender(this));
        levels.forEach(Logger::setLevel);
    }
}
