package io.sluice.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.limits.ShortMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A tunnel during a shortage of direct memory. */
@Isolated
@ParameterizedClass
@EnumSource(Http.class)
class TunnelMemoryIT extends TunnelTestBed {

    @Test
    void isNotWritable() throws Exception {
        try (TunnelClient client = open()) {
            assertThat(tunnel.connection().isWritable()).isTrue();
            try (var _ = new ShortMemory()) {
                await().until(() -> !tunnel.connection().isWritable());
                assertThat(client.send("a").read(1)).isEqualTo("a");
            }
            assertThat(tunnel.connection().isWritable()).isTrue();
            assertThat(writable).hasValue(0);
            server.connections().memoryBack();
            await().until(() -> writable.get() == 1);
        }
        assertClosed();
    }
}
