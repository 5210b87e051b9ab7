package io.sluice.handlers.json;

/** The shape of a member of a JSON object. */
public enum MemberShape {
    /** A text, number or boolean. */
    SCALAR,
    /** The same, but 7.0 and 7e0 are the number 7. */
    INTEGER,
    /** A text. */
    STRING,
    /** An array of texts, numbers and booleans. */
    ARRAY,
    /** An array of INTEGER. */
    INTEGERS,
    /** Any value. */
    ANY
}
