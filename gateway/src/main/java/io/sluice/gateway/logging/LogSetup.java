package io.sluice.gateway.logging;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.sluice.config.LogConfig;
import java.util.ArrayList;
import org.slf4j.LoggerFactory;

/**
 * Configures Logback in code, which starts faster than XML and follows {@link LogConfig}. Writers hand
 * lines to a thread that prints them: a terminal or pipe that does not take them stops no event loop.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
    /** The access log's logger; its messages are whole lines. */
    public static final String ACCESS = "access";

    private static final int QUEUE = 8192;

    /** Called by Logback, before any configuration has been read: text, warnings and worse. */
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        install(context, Level.WARN, new TextLineEncoder());
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Follows a configuration from here on. */
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

    /** Writes what is queued; nothing is logged after it. */
    public static void flush() {
        ((LoggerContext) LoggerFactory.getILoggerFactory()).stop();
    }

    private static void install(LoggerContext context, Level level, Encoder<ILoggingEvent> encoder) {
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        replaceAppenders(root, appender(context, encoder));
        context.getLogger("io.sluice").setLevel(level);
        // Warns of what MeterScope is for: what was counted before its meters are published is not seen.
        context.getLogger("io.micrometer.core.instrument.composite").setLevel(Level.ERROR);

        Logger access = context.getLogger(ACCESS);
        access.setAdditive(false);
        access.setLevel(Level.INFO);
        var lines = new PatternLayoutEncoder();
        lines.setPattern("%msg%n");
        replaceAppenders(access, appender(context, lines));
    }

    /** Stops those before, which print what they have, when no line goes to them any more: none is lost. */
    private static void replaceAppenders(Logger logger, AsyncAppender next) {
        var before = new ArrayList<Appender<ILoggingEvent>>();
        logger.iteratorForAppenders().forEachRemaining(before::add);
        logger.addAppender(next);
        before.forEach(logger::detachAppender);
        before.forEach(Appender::stop);
    }

    private static AsyncAppender appender(LoggerContext context, Encoder<ILoggingEvent> encoder) {
        encoder.setContext(context);
        encoder.start();
        var console = new ConsoleAppender<ILoggingEvent>();
        console.setContext(context);
        console.setEncoder(encoder);
        console.start();
        var async = new AsyncAppender();
        async.setContext(context);
        async.setQueueSize(QUEUE);
        async.setNeverBlock(true);
        async.setDiscardingThreshold(0);
        async.addAppender(console);
        async.start();
        return async;
    }
}
