/** The sections that configure how messages get from publishers to subscribers. */
package io.sluice.config.topic;
