package io.sluice.gateway.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a log event as one line of text, followed by the stack trace of its exception. Control characters
 * in messages are escaped, as a line break sent by a client could forge a line of the log.
 */
final class TextLineEncoder extends EncoderBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());
    private static final char LINE_SEPARATOR = '\u2028';
    private static final char PARAGRAPH_SEPARATOR = '\u2029';

    @Override
    public byte[] encode(ILoggingEvent event) {
        String logger = event.getLoggerName();
        String requestId = event.getMDCPropertyMap().get("requestId");
        String line = "%s %-5s %s %s- %s%n".formatted(TIME.format(event.getInstant()), event.getLevel(),
                logger.substring(logger.lastIndexOf('.') + 1),
                requestId == null ? "" : "[%s] ".formatted(requestId), escaped(event.getFormattedMessage()));
        IThrowableProxy thrown = event.getThrowableProxy();
        String whole = thrown == null ? line : line + ThrowableProxyUtil.asString(new Escaped(thrown));
        return whole.getBytes(StandardCharsets.UTF_8);
    }

    private static String escaped(String message) {
        if (message == null || message.chars().noneMatch(TextLineEncoder::isEscaped)) {
            return message;
        }
        var text = new StringBuilder(message.length() + 16);
        message.chars().forEach(c -> {
            switch (c) {
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> text.append(isEscaped(c) ? "\\u%04x".formatted(c) : (char) c);
            }
        });
        return text.toString();
    }

    private static boolean isEscaped(int c) {
        return Character.isISOControl(c) || c == LINE_SEPARATOR || c == PARAGRAPH_SEPARATOR;
    }

    /** An exception whose messages, and those of its causes, are escaped. */
    private record Escaped(IThrowableProxy thrown) implements IThrowableProxy {
        @Override
        public String getMessage() {
            return escaped(thrown.getMessage());
        }

        @Override
        public String getOverridingMessage() {
            return escaped(thrown.getOverridingMessage());
        }

        @Override
        public String getClassName() {
            return thrown.getClassName();
        }

        @Override
        public StackTraceElementProxy[] getStackTraceElementProxyArray() {
            return thrown.getStackTraceElementProxyArray();
        }

        @Override
        public int getCommonFrames() {
            return thrown.getCommonFrames();
        }

        @Override
        public @Nullable IThrowableProxy getCause() {
            return thrown.getCause() == null ? null : new Escaped(thrown.getCause());
        }

        @Override
        public IThrowableProxy[] getSuppressed() {
            return Stream.of(thrown.getSuppressed()).map(Escaped::new).toArray(IThrowableProxy[]::new);
        }

        @Override
        public boolean isCyclic() {
            return thrown.isCyclic();
        }
    }

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }
}
