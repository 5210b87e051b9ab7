package io.sluice.handlers.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.SpillConfig;
import io.sluice.config.bulk.BulkConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.StubDatabase;
import io.sluice.handlers.TestScope;
import io.sluice.handlers.session.BoundSettings;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Deadline;
import io.sluice.offload.WorkScope;
import io.sluice.offload.spill.Spill;
import io.sluice.offload.spill.SpillSpace;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BulkRunTest {
    private volatile boolean abandoned;
    private final WorkScope scope = new TestScope(Deadline.after(Duration.ofMinutes(1)), () -> abandoned);

    private int execute(@Nullable Spill spill, String tail) throws Exception {
        ByteBuf bytes = Unpooled.copiedBuffer(tail, StandardCharsets.US_ASCII);
        return new BulkRun(new BulkConfig(10, 10), "", BoundSettings.NONE, (_, _) -> List.of(), true,
                UploadCoding.IDENTITY, 1 << 20).execute(StubDatabase.connection(), scope,
                new UploadedBody(spill, bytes, UnpooledByteBufAllocator.DEFAULT));
    }

    @Test
    void aBodyThatTheDiskHasLostIsWorthAnotherTry() throws Exception {
        var space = new SpillSpace(new SpillConfig(Optional.empty(), new ByteSize(1 << 20)));
        Spill spill = space.begin(ClientNetwork.of(InetAddress.getLoopbackAddress()));
        spill.write(Unpooled.wrappedBuffer(new byte[100]));
        space.close();

        assertThatThrownBy(() -> execute(spill, "")).isInstanceOfSatisfying(HttpException.class, told -> {
            assertThat(told.status()).isEqualTo(HttpResponseStatus.SERVICE_UNAVAILABLE);
            assertThat(told.worthRetrying()).isTrue();
        });
    }

    @Test
    void aCancelledRunEndsWhereThereAreNoRows() throws Exception {
        String blank = "\n".repeat(100);
        assertThat(execute(null, blank)).isZero();

        abandoned = true;

        assertThatThrownBy(() -> execute(null, blank)).isInstanceOf(CancellationException.class);
    }
}
