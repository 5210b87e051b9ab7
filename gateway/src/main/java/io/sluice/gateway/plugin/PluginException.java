package io.sluice.gateway.plugin;

import org.jspecify.annotations.Nullable;

/**
 * Signals plug-ins that cannot be used: one line for each mistake, with the class, the jar and the remedy.
 */
public final class PluginException extends Exception {
    private static final long serialVersionUID = 1L;

    PluginException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
