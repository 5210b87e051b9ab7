package io.sluice.gateway.logging;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.sluice.config.LogConfig;
import org.slf4j.LoggerFactory;

/**
 * Configures Logback in code, which starts faster than XML and can follow a {@link LogConfig}. Lines are
 * printed by a separate thread, so that a slow terminal or pipe never blocks an event loop; if its queue is
 * full, lines are dropped.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
    /** The name of the access log's logger; each message is printed as a line of its own. */
    public static final String ACCESS = "access";

    private static final String APPENDER = "stdout";
    private static final CurrentEncoder LINES = new CurrentEncoder();

    /** In lines, which have some 2 KB at most. */
    private static final int ACCESS_QUEUE = 8192;
    /** In events, which may have a stack trace each. */
    private static final int QUEUE = 1024;

    /** Logback calls this before the configuration has been read. Logs warnings and errors as text. */
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        install(context, Level.WARN, new TextLineEncoder());
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Applies a configuration. */
    public static void apply(LogConfig config) {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        boolean text = switch (config.format()) {
            case AUTO -> System.console() != null && System.console().isTerminal();
            case TEXT -> true;
            case JSON -> false;
        };
        install(context, Level.toLevel(config.level().name()),
                text ? new TextLineEncoder() : new JsonLineEncoder());
    }

    /** Prints the queued lines and stops logging. */
    public static void flush() {
        ((LoggerContext) LoggerFactory.getILoggerFactory()).stop();
    }

    private static void install(LoggerContext context, Level level, Encoder<ILoggingEvent> encoder) {
        LINES.use(encoder, context);
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        addAppender(root, LINES, QUEUE);
        context.getLogger("io.sluice").setLevel(level);
        // It warns of meters that count before they are published, which MeterScope does on purpose.
        context.getLogger("io.micrometer.core.instrument.composite").setLevel(Level.ERROR);

        Logger access = context.getLogger(ACCESS);
        access.setAdditive(false);
        access.setLevel(Level.INFO);
        var lines = new PatternLayoutEncoder();
        lines.setPattern("%msg%n");
        addAppender(access, lines, ACCESS_QUEUE);
    }

    /**
     * Adds the appender to a logger. It stays there, as events between the exchange of two appenders would be
     * printed twice, or not at all.
     */
    private static void addAppender(Logger logger, Encoder<ILoggingEvent> encoder, int queue) {
        if (logger.getAppender(APPENDER) == null) {
            AsyncAppender added = appender(logger.getLoggerContext(), encoder, queue);
            added.setName(APPENDER);
            logger.addAppender(added);
        }
    }

    private static AsyncAppender appender(LoggerContext context, Encoder<ILoggingEvent> encoder, int queue) {
        encoder.setContext(context);
        encoder.start();
        var console = new ConsoleAppender<ILoggingEvent>();
        console.setContext(context);
        console.setEncoder(encoder);
        console.start();
        var async = new AsyncAppender();
        async.setContext(context);
        async.setQueueSize(queue);
        async.setNeverBlock(true);
        async.setDiscardingThreshold(0);
        async.addAppender(console);
        async.start();
        return async;
    }
}
