/**
 * Checks relations between the values of a configuration, such as a route's kind and its methods. A value by
 * itself, and a reference to another section, are checked where they are read.
 */
package io.sluice.config.check;
