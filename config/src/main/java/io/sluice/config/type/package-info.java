/** The types of configured values for which Java has none; each is parsed from text. */
package io.sluice.config.type;
