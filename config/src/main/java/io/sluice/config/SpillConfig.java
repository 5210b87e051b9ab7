package io.sluice.config;

import io.sluice.config.type.ByteSize;
import io.sluice.config.type.WritableDirectory;
import java.util.Optional;

/**
 * Temporary disk space for answers that clients read too slowly: {@code sluice.offload.spill}.
 *
 * @param directory the JVM's temporary directory where none is given
 * @param limit of all answers together; 0 for no such space
 */
public record SpillConfig(
        Optional<WritableDirectory> directory,
        @Range(max = 1024 * Range.GIB) ByteSize limit) {
}
