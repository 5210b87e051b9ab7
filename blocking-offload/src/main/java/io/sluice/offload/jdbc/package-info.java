/** Databases behind a pool: connections, their probe, and statements that are cancelled with their task. */
package io.sluice.offload.jdbc;
