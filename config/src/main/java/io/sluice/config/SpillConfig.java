package io.sluice.config;

import io.sluice.config.key.Range;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.WritableDirectory;
import java.util.Optional;

/**
 * Temporary disk space for responses of slow readers and bodies of {@code bulk} routes: {@code
 * sluice.offload.spill}.
 *
 * @param directory absent: the JVM's temporary directory
 * @param limit the size of the space for all of them together; 0 disables it
 */
public record SpillConfig(
        Optional<WritableDirectory> directory,
        @Range(max = 1024 * Range.GIB) ByteSize limit) {
}
