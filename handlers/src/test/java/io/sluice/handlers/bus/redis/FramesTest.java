package io.sluice.handlers.bus.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FramesTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** A shortage of memory would be a permanent one. */
    @Test
    void anAnswerThatIsNotConvertedAsAWholeHoldsNoMemory() {
        var alloc = new UnpooledByteBufAllocator(false);
        var answer = new ArrayList<Object>(List.of(bytes("1f:2"), bytes("yes"), bytes("1"), bytes("t"),
                bytes("one"), bytes("2"), bytes(""), bytes("two")));

        assertThatThrownBy(() -> Frames.history(answer, alloc)).isInstanceOf(RuntimeException.class);
        assertThat(alloc.metric().usedDirectMemory()).isZero();

        answer.set(6, bytes("t"));
        var messages = Frames.history(answer, alloc).messages();
        assertThat(messages).hasSize(2).allMatch(message -> message.release());
        assertThat(alloc.metric().usedDirectMemory()).isZero();
    }
}
