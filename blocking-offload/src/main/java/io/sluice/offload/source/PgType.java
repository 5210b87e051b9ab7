package io.sluice.offload.source;

import java.util.HashMap;
import java.util.Map;

/** The JSON form of a type of PostgreSQL. */
enum PgType {
    BOOLEAN, NUMBER, JSON, BINARY, TIME, TIMETZ, INTERVAL, ARRAY, TEXT;

    /**
     * PostgreSQL's own types: the name, the number (OID), and that of the array. They never change. The array
     * of box is left out, as it has another delimiter.
     */
    private static final String OWN = """
            bool 16 1000  bytea 17 1001  char 18 1002  name 19 1003  int8 20 1016  int2 21 1005
            int2vector 22 1006  int4 23 1007  regproc 24 1008  text 25 1009  oid 26 1028  tid 27 1010
            xid 28 1011  cid 29 1012  oidvector 30 1013  json 114 199  xml 142 143  xid8 5069 271
            point 600 1017  lseg 601 1018  path 602 1019  polygon 604 1027  line 628 629  float4 700 1021
            float8 701 1022  circle 718 719  money 790 791  macaddr 829 1040  inet 869 1041  cidr 650 651
            macaddr8 774 775  aclitem 1033 1034  bpchar 1042 1014  varchar 1043 1015  date 1082 1182
            time 1083 1183  timestamp 1114 1115  timestamptz 1184 1185  interval 1186 1187  timetz 1266 1270
            bit 1560 1561  varbit 1562 1563  numeric 1700 1231  refcursor 1790 2201  regprocedure 2202 2207
            regoper 2203 2208  regoperator 2204 2209  regclass 2205 2210  regcollation 4191 4192
            regtype 2206 2211  regrole 4096 4097  regnamespace 4089 4090  uuid 2950 2951  pg_lsn 3220 3221
            tsvector 3614 3643  tsquery 3615 3645  regconfig 3734 3735  regdictionary 3769 3770
            jsonb 3802 3807  jsonpath 4072 4073  txid_snapshot 2970 2949  pg_snapshot 5038 5039
            int4range 3904 3905  numrange 3906 3907  tsrange 3908 3909  tstzrange 3910 3911
            daterange 3912 3913  int8range 3926 3927  int4multirange 4451 6150  nummultirange 4532 6151
            tsmultirange 4533 6152  tstzmultirange 4534 6153  datemultirange 4535 6155
            int8multirange 4536 6157""";
    private static final Map<String, Integer> NUMBERS = new HashMap<>();
    private static final Map<Integer, Integer> ELEMENTS = new HashMap<>();

    static {
        String[] words = OWN.split("\\s+");
        for (int i = 0; i < words.length; i += 3) {
            int number = Integer.parseInt(words[i + 1]);
            int array = Integer.parseInt(words[i + 2]);
            NUMBERS.put(words[i], number);
            NUMBERS.put('_' + words[i], array);
            ELEMENTS.put(array, number);
        }
    }

    static PgType of(int type) {
        return switch (type) {
            case 16 -> BOOLEAN;
            case 20, 21, 23, 26, 700, 701, 1700 -> NUMBER; // int8, int2, int4, oid, float4, float8, numeric
            case 114, 3802 -> JSON; // json, jsonb
            case 17 -> BINARY; // bytea
            case 1082, 1114, 1184 -> TIME; // date, timestamp, timestamptz
            case 1266 -> TIMETZ;
            case 1186 -> INTERVAL;
            default -> ELEMENTS.containsKey(type) ? ARRAY : TEXT;
        };
    }

    /** Returns the number of one of PostgreSQL's own types; that of text for another name. */
    static int number(String name) {
        return NUMBERS.getOrDefault(name, 25);
    }

    /** Returns the number of the type of an array's elements. */
    static int elements(int array) {
        return ELEMENTS.getOrDefault(array, 25);
    }
}
