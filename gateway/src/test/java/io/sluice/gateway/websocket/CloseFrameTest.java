package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CloseFrameTest {

    @ParameterizedTest
    @ValueSource(ints = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014,
        3000, 3999, 4000, 4999})
    void answersWithTheSameCodeAndNoReason(int code) {
        WebSocketCloseStatus answer = CloseFrame.answerTo(payload(code, "because"));

        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.reasonText()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 9999, 32_768,
        65_535})
    void refusesCodesThatMustNotBeSent(int code) {
        var refused = catchThrowableOfType(ProtocolException.class,
                () -> CloseFrame.answerTo(payload(code, "")));

        assertThat(refused).as("code " + code).isNotNull();
        assertThat(refused.status().code()).isEqualTo(1002);
    }

    @Test
    void answersNothingWithNothing() {
        assertThat(CloseFrame.answerTo(Unpooled.EMPTY_BUFFER)).isEqualTo(WebSocketCloseStatus.EMPTY);
        assertThat(bytes(WebSocketCloseStatus.EMPTY)).isEqualTo(ClientFrame.hex("8800"));
    }

    @Test
    void refusesHalfACode() {
        var refused = catchThrowableOfType(ProtocolException.class,
                () -> CloseFrame.answerTo(Unpooled.wrappedBuffer(new byte[] {3})));

        assertThat(refused.status().code()).isEqualTo(1002);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ff", "61c0", "c3", "e282", "eda080"})
    void refusesAReasonThatIsNotUtf8(String hex) {
        ByteBuf payload = Unpooled.wrappedBuffer(ClientFrame.hex("03e8" + hex));

        var refused = catchThrowableOfType(ProtocolException.class, () -> CloseFrame.answerTo(payload));

        assertThat(refused.status().code()).isEqualTo(1007);
    }

    @ParameterizedTest
    @CsvSource({"'', 0", "bye, 3", "é, 2"})
    void tellsTheReason(String reason, int length) {
        byte[] bytes = bytes(new WebSocketCloseStatus(1008, reason));

        assertThat(bytes).startsWith(0x88, 2 + length, 3, 0xF0).hasSize(4 + length);
    }

    @ParameterizedTest
    @CsvSource({"a, 123", "é, 122", "€, 123", "😀, 120"})
    void cutsALongReasonBetweenCharacters(String character, int length) {
        byte[] bytes = bytes(new WebSocketCloseStatus(1008, character.repeat(130)));

        assertThat(bytes).hasSize(4 + length).startsWith(0x88, 2 + length);
        assertThat(new String(bytes, 4, length, StandardCharsets.UTF_8))
                .matches("(" + character + ")+");
    }

    private static ByteBuf payload(int code, String reason) {
        return Unpooled.buffer().writeShort(code).writeBytes(reason.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] bytes(WebSocketCloseStatus status) {
        ByteBuf frame = CloseFrame.of(UnpooledByteBufAllocator.DEFAULT, status);
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes).release();
        return bytes;
    }
}
