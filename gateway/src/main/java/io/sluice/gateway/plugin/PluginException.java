package io.sluice.gateway.plugin;

/** Plug-ins that cannot be used: a line for each mistake, with its class, its jar and the remedy. */
public final class PluginException extends Exception {
    private static final long serialVersionUID = 1L;

    PluginException(String message, Throwable cause) {
        super(message, cause);
    }
}
