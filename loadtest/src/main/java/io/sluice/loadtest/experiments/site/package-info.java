/** The gateway that hostile clients and faults meet: what it serves, and the limits of its process. */
package io.sluice.loadtest.experiments.site;
