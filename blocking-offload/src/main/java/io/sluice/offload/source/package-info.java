/**
 * Messages from a database: the rows of an outbox table, or the changes of tables by logical replication.
 * Each source has a thread and connections of its own. It hands messages to a sink, and tells the database
 * that it may forget them when the sink has them.
 */
package io.sluice.offload.source;
