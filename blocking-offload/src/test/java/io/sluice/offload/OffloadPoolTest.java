package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.PoolConfig;
import org.junit.jupiter.api.Test;

class OffloadPoolTest extends OffloadContractTest {

    @Override
    Offload create(PoolConfig config, OffloadListener listener) {
        return new OffloadPool("test", config, listener);
    }

    @Test
    void workersAreDaemonsNamedAfterThePool() throws Exception {
        Offload offload = create(new PoolConfig(1, 0, LONG), OffloadListener.NONE);

        Thread worker = result(submit(offload, _ -> Thread.currentThread()));

        assertThat(worker.getName()).startsWith("offload-test-");
        assertThat(worker.isDaemon()).isTrue();
        offload.close();
    }

    @Test
    void workersAreThereBeforeTheFirstTask() {
        Offload offload = new OffloadPool("eager", new PoolConfig(3, 0, LONG), OffloadListener.NONE);

        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("offload-eager-"))
                .hasSize(3);
        offload.close();
    }
}
