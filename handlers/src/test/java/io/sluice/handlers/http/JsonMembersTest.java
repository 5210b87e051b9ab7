package io.sluice.handlers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.sluice.handlers.HttpException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What QueryContract does not see. */
class JsonMembersTest {

    @Test
    void membersAreTextsAsTheyStand() {
        String body = "{\"a\":\"x\",\"b\":1.50,\"c\":-1e3,\"d\":true,\"e\":null,\"\":\"\"}";

        assertThat(JsonMembers.of(utf8(body)))
                .containsEntry("a", "x").containsEntry("b", "1.50").containsEntry("c", "-1e3")
                .containsEntry("d", "true").containsEntry("e", null).containsEntry("", "").hasSize(6);
    }

    @Test
    void theBodyStaysItsOwners() {
        ByteBuf body = ByteBufUtil.writeUtf8(PooledByteBufAllocator.DEFAULT, "{\"a\":1}");
        try {
            assertThat(JsonMembers.of(body)).containsEntry("a", "1");
            assertThat(body.readableBytes()).isEqualTo(7);
            assertThat(body.refCnt()).isEqualTo(1);
        } finally {
            body.release();
        }
    }

    /** RFC 8259 wants UTF-8; older clients send what RFC 4627 allowed. */
    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16", "UTF-16BE", "UTF-16LE", "UTF-32BE"})
    void everyEncodingOfUnicodeIsRead(Charset charset) {
        assertThat(JsonMembers.of(Unpooled.copiedBuffer("{\"a\":\"Björn\"}", charset)))
                .containsEntry("a", "Björn");
    }

    @Test
    void aNameWithoutEndIsRefused() {
        assertThatThrownBy(() -> JsonMembers.of(utf8("{\"" + "a".repeat(100_000) + "\":1}")))
                .isInstanceOf(HttpException.class)
                .hasMessage("body (expected: a JSON object; something in it is too long)");
    }

    private static ByteBuf utf8(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }
}
