package io.sluice.offload.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.config.DatabaseConfig;
import io.sluice.offload.WorkScope;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ConnectionPoolTest {
    private static final OutOfMemoryError NO_THREAD = new OutOfMemoryError("unable to create native thread");

    private final DatabaseConfig config = DatabaseConfigs.of("jdbc:h2:mem:" + UUID.randomUUID(),
            Duration.ofSeconds(30), Duration.ofHours(1));

    @Test
    void aConnectionThatCannotBeLeasedGoesBack() throws Exception {
        try (var pool = new ConnectionPool("test", config, 1, true, null)) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> pool.lease(scope(true))).isSameAs(NO_THREAD);
            }
            try (ConnectionLease lease = pool.lease(scope(false))) {
                assertThat(lease.connection().isValid(1)).isTrue();
            }
        }
    }

    private static WorkScope scope(boolean withoutThreads) {
        return (WorkScope) Proxy.newProxyInstance(WorkScope.class.getClassLoader(),
                new Class<?>[] {WorkScope.class}, (_, method, _) -> {
                    assertThat(method.getName()).isEqualTo("onCancel");
                    if (withoutThreads) {
                        throw NO_THREAD;
                    }
                    return (WorkScope.Registration) () -> { };
                });
    }
}
