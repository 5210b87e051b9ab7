package io.sluice.gateway.admin;

import java.util.List;

/** A refused reload: the configuration cannot replace the one in effect, and nothing has changed. */
public final class ReloadException extends Exception {
    private static final long serialVersionUID = 1L;

    /** One line for each mistake, for operators; not serialised. */
    private final transient List<String> mistakes;

    /**
     * A refusal of a configuration.
     *
     * @param mistakes one line for each mistake, with its file and line number if known
     */
    public ReloadException(List<String> mistakes, Throwable cause) {
        super(String.join("; ", mistakes), cause);
        this.mistakes = List.copyOf(mistakes);
    }

    /** Returns one line for each mistake. */
    public List<String> mistakes() {
        return mistakes;
    }
}
