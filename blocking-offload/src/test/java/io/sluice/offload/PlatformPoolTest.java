package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.PoolConfig;
import org.junit.jupiter.api.Test;

class PlatformPoolTest extends OffloadContractTest {

    @Override
    public PoolConfig.Kind kind() {
        return PoolConfig.Kind.PLATFORM;
    }

    @Test
    void workersAreDaemonsNamedAfterThePool() throws Exception {
        Thread worker = result(submit(offload(1, 0), _ -> Thread.currentThread()));

        assertThat(worker.getName()).startsWith("offload-test-");
        assertThat(worker.isDaemon()).isTrue();
        assertThat(worker.isVirtual()).isFalse();
    }

    @Test
    void workersAreThereBeforeTheFirstTask() {
        Offload offload = Offload.start("eager", pool(3, 0, LONG), PoolObserver.NONE);

        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("offload-eager-"))
                .hasSize(3);
        offload.close();
    }
}
