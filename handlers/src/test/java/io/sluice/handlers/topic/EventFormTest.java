package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.handlers.SharedMessage;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventFormTest {
    private static final Position AT = new Position(35, 7);

    private static String event(TopicMessage message) {
        ByteBuf event = message.event();
        String text = event.toString(StandardCharsets.UTF_8);
        event.release();
        message.release();
        return text;
    }

    private static String event(boolean text, byte[] payload) {
        var raw = new SharedMessage(text, Unpooled.wrappedBuffer(payload));
        TopicMessage message = TopicMessage.of(AT, raw);
        raw.release();
        return event(message);
    }

    @ParameterizedTest
    @CsvSource({"hi, data: hi|", "'', data: |", "a\\nb, data: a|data: b|", "a\\r\\nb, data: a|data: b|",
        "a\\rb\\n, data: a|data: b|data: |", "\\n\\r, data: |data: |data: |", "grüße, data: grüße|"})
    void eachLineOfATextIsOneOfTheEvent(String text, String data) {
        String payload = text.replace("\\n", "\n").replace("\\r", "\r");
        assertThat(event(true, payload.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("id: z:7\n" + data.replace('|', '\n') + '\n');
    }

    /** Texts are read in steps of 4 KiB. */
    @Test
    void aLineEndBetweenTwoStepsIsOne() {
        String line = "a".repeat(4095);
        assertThat(event(true, (line + "\r\nb\n").getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("id: z:7\ndata: " + line + "\ndata: b\ndata: \n\n");
    }

    @Test
    void bytesAndNoticesHaveTheirTypes() {
        assertThat(event(false, new byte[] {1, 2, 3})).isEqualTo("id: z:7\nevent: binary\ndata: AQID\n\n");
        assertThat(event(TopicMessage.notice(TopicMessage.Kind.BEGIN, AT))).isEqualTo("id: z:7\n\n");
        assertThat(event(TopicMessage.notice(TopicMessage.Kind.RESYNC, AT)))
                .isEqualTo("id: z:7\nevent: resync\ndata: z:7\n\n");
    }
}
