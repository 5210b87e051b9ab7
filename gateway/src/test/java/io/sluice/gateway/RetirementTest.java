package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RetirementTest {
    private final List<String> closed = new ArrayList<>();

    private Resource<String> resource(String name, AtomicBoolean idle) {
        return new Resource<>(name, null, idle::get, () -> closed.add(name));
    }

    @Test
    void usedResourceKeepsItsDependenciesOpen() {
        var noSocketsOpen = new AtomicBoolean();
        var idle = new AtomicBoolean(true);
        var retirement = new Retirement();
        retirement.add(List.of(resource("sockets", noSocketsOpen), resource("their pool", idle)));
        retirement.add(List.of(resource("of another reload", idle)));

        assertThat(retirement.closeUnused()).as("some left").isTrue();
        assertThat(closed).containsExactly("of another reload");
        noSocketsOpen.set(true);
        assertThat(retirement.closeUnused()).as("some left").isFalse();
        assertThat(closed).containsExactly("of another reload", "sockets", "their pool");
    }
}
