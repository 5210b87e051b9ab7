package io.sluice.gateway.admin;

import java.util.List;

/** A configuration that cannot take the place of the one in effect; nothing has changed. */
public final class ReloadException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Lines for operators; not serialised. */
    private final transient List<String> mistakes;

    /**
     * A refusal.
     *
     * @param mistakes a line for each, with file and line where it has any
     */
    public ReloadException(List<String> mistakes, Throwable cause) {
        super(String.join("; ", mistakes), cause);
        this.mistakes = List.copyOf(mistakes);
    }

    /** A line for each mistake. */
    public List<String> mistakes() {
        return mistakes;
    }
}
