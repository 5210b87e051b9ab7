/** Databases behind offload pools: connections, their probe, and statements that end with their task. */
package io.sluice.offload.jdbc;
