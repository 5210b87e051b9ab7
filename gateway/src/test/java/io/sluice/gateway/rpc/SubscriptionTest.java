package io.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The message of a topic in the frame of a subscription. */
class SubscriptionTest {

    private static ByteBuf json(int length) {
        String text = "{\"data\":\"" + "x".repeat(length) + "\"}";
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100_000})
    void hasTheIdAsFirstMember(int length) {
        ByteBuf json = json(length);
        ByteBuf framed = Subscription.withId(ByteBufAllocator.DEFAULT, "7", json);

        assertThat(framed.toString(StandardCharsets.US_ASCII))
                .isEqualTo("{\"subscription\":7," + json.toString(StandardCharsets.US_ASCII).substring(1));
        framed.release();
        assertThat(json.release()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1, buffer", "100000, compositeBuffer"})
    void keepsNothingIfMemoryRunsOut(int length, String failing) {
        ByteBuf json = json(length);
        var allocated = new ArrayList<ByteBuf>();
        var alloc = (ByteBufAllocator) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {ByteBufAllocator.class}, (_, method, arguments) -> {
                    if (method.getName().equals(failing)) {
                        throw new OutOfMemoryError("of the test");
                    }
                    allocated.add((ByteBuf) method.invoke(ByteBufAllocator.DEFAULT, arguments));
                    return allocated.getLast();
                });

        assertThatThrownBy(() -> Subscription.withId(alloc, "7", json)).hasMessage("of the test");
        assertThat(json.release()).isTrue();
        assertThat(allocated).allMatch(buffer -> buffer.refCnt() == 0);
    }
}
