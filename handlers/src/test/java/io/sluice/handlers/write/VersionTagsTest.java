package io.sluice.handlers.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.sluice.handlers.HttpException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VersionTagsTest {
    private static final int MAX = 100;

    private static HttpHeaders tags(String header, int count) {
        return new DefaultHttpHeaders().set(header,
                IntStream.range(0, count).mapToObj(i -> "\"" + i + '"').collect(Collectors.joining(", ")));
    }

    @Test
    void areLimited() {
        assertThat(VersionTags.ifMatch(tags("If-Match", MAX)).versions()).hasSize(MAX).startsWith("0", "1");
        assertThat(VersionTags.ifNoneMatch(tags("If-None-Match", MAX)).versions()).hasSize(MAX);
        assertThatThrownBy(() -> VersionTags.ifMatch(tags("If-Match", MAX + 1)))
                .isInstanceOfSatisfying(HttpException.class,
                        e -> assertThat(e.status().code()).isEqualTo(400))
                .hasMessageContaining("If-Match").hasMessageContaining("at most 100");
        assertThatThrownBy(() -> VersionTags.ifNoneMatch(tags("If-None-Match", MAX + 1)))
                .isInstanceOf(HttpException.class);
    }
}
