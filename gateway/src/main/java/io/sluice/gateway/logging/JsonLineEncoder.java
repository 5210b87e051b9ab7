package io.sluice.gateway.logging;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import io.sluice.handlers.json.Json;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/**
 * Encodes a log event as one line of JSON: time, level, logger, thread, the logging context, message,
 * exception. Logback's JSON encoder uses other names and nesting: see docs/decisions/0022.
 */
final class JsonLineEncoder extends EncoderBase<ILoggingEvent> {
    private final ThrowableProxyConverter stackTraces = new ThrowableProxyConverter();

    @Override
    public void start() {
        stackTraces.start();
        super.start();
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        var line = new ByteArrayOutputStream(256);
        try (JsonGenerator json = Json.generator(line)) {
            json.writeStartObject();
            json.writeStringProperty("time", event.getInstant().toString());
            json.writeStringProperty("level", event.getLevel().toString());
            json.writeStringProperty("logger", event.getLoggerName());
            json.writeStringProperty("thread", event.getThreadName());
            for (Map.Entry<String, String> entry : event.getMDCPropertyMap().entrySet()) {
                if (entry.getValue() != null) {
                    json.writeStringProperty(entry.getKey(), entry.getValue());
                }
            }
            json.writeStringProperty("message", event.getFormattedMessage());
            if (event.getThrowableProxy() != null) {
                json.writeStringProperty("exception", stackTraces.convert(event));
            }
            json.writeEndObject();
        }
        line.write('\n');
        return line.toByteArray();
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
