package io.sluice.gateway.source;

import static io.sluice.gateway.source.SourceBed.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.handlers.rows.Representation;
import io.sluice.handlers.rows.RowOutput;
import io.sluice.handlers.rows.RowWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The JSON of values in changes that a replication slot reads. */
class ReplicatedValuesIT {
    private final RecordingSink sink = new RecordingSink();
    private SourceBed bed;

    @BeforeEach
    void create() throws SQLException {
        bed = new SourceBed();
    }

    @AfterEach
    void close() {
        bed.close();
    }

    @Test
    void valuesHaveTheirTypesInJson() throws SQLException {
        bed.execute("CREATE TABLE $t_types AS " + """
                SELECT TRUE AS a_boolean, CAST(-32768 AS smallint) AS a_smallint,
                  9223372036854775807 AS a_bigint, CAST(0.1 AS real) AS a_real,
                  CAST('NaN' AS double precision) AS not_a_number, 12.50 AS a_numeric,
                  CAST('-Infinity' AS numeric) AS infinite, 'it''s' || chr(1) AS a_text,
                  DATE '2026-01-31' AS a_date, TIME '10:00:00.5' AS a_time,
                  TIMESTAMP '2026-01-31 10:00:00' AS a_timestamp,
                  TIMESTAMPTZ '2026-01-31 10:00:00.25+02' AS a_timestamptz, TIMESTAMPTZ 'infinity' AS last,
                  CAST('123e4567-e89b-12d3-a456-426614174000' AS uuid) AS a_uuid,
                  CAST('{"a": [1, null]}' AS json) AS a_json, CAST('{"b":2}' AS jsonb) AS a_jsonb,
                  CAST('\\xDEADBEEF' AS bytea) AS a_bytea, CAST(4294967295 AS oid) AS an_oid,
                  INTERVAL '1 day' AS an_interval, ARRAY[1, NULL] AS an_array,
                  ARRAY[ARRAY['a "b"', 'NULL'], ARRAY['', 'c,}\\']] AS nested, CAST('{}' AS int[]) AS none,
                  ARRAY[TIMESTAMPTZ '2026-01-31 10:00:00+02'] AS times, CAST(NULL AS int) AS nothing
                WITH NO DATA""");
        bed.slot("$t_types");
        bed.readSlot(sink, "tables { " + bed.name + "_types = types }");
        bed.execute("INSERT INTO $t_types " + """
                SELECT TRUE, -32768, 9223372036854775807, 0.1, 'NaN', 12.50, '-Infinity', 'it''s' || chr(1),
                  '2026-01-31', '10:00:00.5', '2026-01-31 10:00:00', '2026-01-31 10:00:00.25+02', 'infinity',
                  '123e4567-e89b-12d3-a456-426614174000', '{"a": [1, null]}', '{"b":2}', '\\xDEADBEEF',
                  4294967295, '1 day', ARRAY[1, NULL],
                  ARRAY[ARRAY['a "b"', 'NULL'], ARRAY['', 'c,}\\']], '{}',
                  ARRAY[TIMESTAMPTZ '2026-01-31 10:00:00+02'], NULL""");

        soon().until(() -> sink.size() == 1);
        assertThat(sink.texts().getFirst()).isEqualTo("types:{\"op\":\"insert\",\"table\":\"" + bed.name
                + "_types\",\"row\":" + """
                {"a_boolean":true,"a_smallint":-32768,"a_bigint":9223372036854775807,"a_real":0.1,\
                "not_a_number":"NaN","a_numeric":12.50,"infinite":"-Infinity","a_text":"it's\\u0001",\
                "a_date":"2026-01-31","a_time":"10:00:00.5","a_timestamp":"2026-01-31T10:00:00",\
                "a_timestamptz":"2026-01-31T08:00:00.25Z","last":"infinity",\
                "a_uuid":"123e4567-e89b-12d3-a456-426614174000","a_json":{"a": [1, null]},"a_jsonb":{"b": 2},\
                "a_bytea":"3q2+7w==","an_oid":4294967295,"an_interval":"P1D","an_array":[1,null],\
                "nested":[["a \\"b\\"","NULL"],["","c,}\\\\"]],"none":[],"times":["2026-01-31T08:00:00Z"],\
                "nothing":null}}""");
    }

    /** Settings of the role hold for the stream, too. */
    @Test
    void formatsOfTheRoleDoNotChangeValues() throws SQLException {
        bed.execute("CREATE TABLE $t_formats (bytes bytea, duration interval, day date)");
        bed.slot("$t_formats");
        bed.execute("ALTER ROLE CURRENT_USER SET bytea_output = 'escape'");
        bed.execute("ALTER ROLE CURRENT_USER SET intervalstyle = 'iso_8601'");
        bed.execute("ALTER ROLE CURRENT_USER SET datestyle = 'German'");
        try {
            bed.readSlot(sink, "tables { " + bed.name + "_formats = formats }");
            bed.execute("INSERT INTO $t_formats VALUES ('abcdef12', '1 day 2 hours', '2026-01-31')");
            soon().until(() -> sink.size() == 1);
        } finally {
            bed.execute("ALTER ROLE CURRENT_USER RESET ALL");
        }
        assertThat(sink.texts().getFirst())
                .endsWith("{\"bytes\":\"YWJjZGVmMTI=\",\"duration\":\"P1DT2H\","
                        + "\"day\":\"2026-01-31\"}}");
    }

    /** The log names the types of columns, which are domains here; a result has those below. */
    @Test
    void valuesOfDomainsEqualThoseOfAResult() throws SQLException, IOException {
        bed.execute("""
                CREATE DOMAIN $t_price AS numeric;
                CREATE DOMAIN $t_high AS $t_price CHECK (VALUE > 1);
                CREATE DOMAIN $t_flag AS boolean;
                CREATE DOMAIN $t_doc AS jsonb;
                CREATE DOMAIN $t_raw AS bytea;
                CREATE DOMAIN $t_moment AS timestamptz;
                CREATE DOMAIN $t_list AS int[];
                CREATE TYPE $t_mood AS ENUM ('glad', 'sad');
                CREATE DOMAIN $t_some_mood AS $t_mood;
                CREATE TABLE $t (price $t_price, high $t_high, flag $t_flag, doc $t_doc, raw $t_raw,
                  moment $t_moment, list $t_list, mood $t_mood, some_mood $t_some_mood, pause interval,
                  opens timetz, opens_in_utc timetz, ends timetz, ides date, far date, no_day date,
                  before timestamp, after timestamptz, money money, bits bit(4), "char" "char",
                  addresses inet[], networks cidr[], cards macaddr[], pauses interval[], opening timetz[],
                  prices money[], masks bit(4)[], some_bits varbit[], codes "char"[], documents xml[],
                  ranges int4range[], points point[], words tsvector[], days date[], classes regclass[])""");
        bed.slot("$t");
        bed.readSlot(sink, "tables { " + bed.name + " = t }");
        bed.execute("""
                INSERT INTO $t VALUES (9.5, 12.50, true, '{"a":1}', '\\xff', '2026-01-31 10:00:00+02',
                  '{1,NULL}', 'sad', 'glad', '1 year -2 days 03:00:00.5', '10:00:00.25+02', '10:00:00+00',
                  '24:00:00-05:30', '0044-03-15 BC', '10000-01-01', '-infinity', '0001-12-31 23:59:59.5 BC',
                  '12026-01-31 10:00:00+00', 1234.5, '1010', 'c', '{10.0.0.1,::1}', '{10.0.0.0/8}',
                  '{08:00:2b:01:02:03}', '{1 day,NULL,00:00:00}', '{10:00:00+02}', '{1.5}', '{1010}',
                  '{101}', '{a,b}', '{<a/>}', '{"[1,5)"}', '{"(1,2)"}', '{a b}', '{0044-03-15 BC}',
                  '{pg_type}')""");

        soon().until(() -> sink.size() == 1);
        String change = sink.texts().getFirst();
        assertThat(change.substring(change.indexOf("\"row\":") + 6)).isEqualTo(result() + '}');
    }

    private String result() throws SQLException, IOException {
        var json = new ByteArrayOutputStream();
        try (Statement statement = bed.connect().createStatement();
                ResultSet row = statement.executeQuery("SELECT * FROM " + bed.name)) {
            row.next();
            RowWriter writer = RowWriter.of(row.getMetaData(), null);
            RowOutput out = writer.single(Representation.JSON, json);
            writer.write(out, row);
            out.end();
        }
        return json.toString(StandardCharsets.UTF_8);
    }
}
