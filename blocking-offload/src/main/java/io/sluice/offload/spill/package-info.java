/** Disk space for responses that are produced faster than their clients read. */
package io.sluice.offload.spill;
