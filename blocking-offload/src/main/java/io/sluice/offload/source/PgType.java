package io.sluice.offload.source;

import java.util.Map;

/** The JSON form of a type of PostgreSQL. The numbers (OIDs) of its own types never change. */
enum PgType {
    BOOLEAN, NUMBER, JSON, BINARY, TIMESTAMP, ARRAY, TEXT;

    /** Numbers of array types to those of their elements; arrays of other types are text. */
    private static final Map<Integer, Integer> ELEMENTS = Map.ofEntries(
            Map.entry(1000, 16), Map.entry(1005, 21), Map.entry(1007, 23), Map.entry(1016, 20), // bool, int
            Map.entry(1028, 26), // oid
            Map.entry(1021, 700), Map.entry(1022, 701), Map.entry(1231, 1700), // float, numeric
            Map.entry(1009, 25), Map.entry(1015, 1043), Map.entry(1014, 1042), Map.entry(1003, 19), // text
            Map.entry(199, 114), Map.entry(3807, 3802), Map.entry(1001, 17), // json, bytea
            Map.entry(1115, 1114), Map.entry(1185, 1184), // timestamp
            Map.entry(1182, 1082), Map.entry(1183, 1083), // date, time
            Map.entry(2951, 2950)); // uuid

    static PgType of(int type) {
        return switch (type) {
            case 16 -> BOOLEAN;
            case 20, 21, 23, 26, 700, 701, 1700 -> NUMBER; // int8, int2, int4, oid, float4, float8, numeric
            case 114, 3802 -> JSON; // json, jsonb
            case 17 -> BINARY; // bytea
            case 1114, 1184 -> TIMESTAMP; // timestamp, timestamptz
            default -> ELEMENTS.containsKey(type) ? ARRAY : TEXT;
        };
    }

    /** Returns the number of the type of an array's elements. */
    static int elements(int array) {
        return ELEMENTS.getOrDefault(array, 25);
    }
}
