package io.sluice.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.PoolConfig;
import org.junit.jupiter.api.Test;

class VirtualPoolTest extends OffloadContractTest {

    @Override
    public PoolConfig.Kind kind() {
        return PoolConfig.Kind.VIRTUAL;
    }

    @Test
    void workersAreVirtualThreadsNamedAfterThePool() throws Exception {
        Thread worker = result(submit(offload(1, 0), _ -> Thread.currentThread()));

        assertThat(worker.isVirtual()).isTrue();
        assertThat(worker.getName()).startsWith("offload-test-");
    }
}
