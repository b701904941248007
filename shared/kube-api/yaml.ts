/**
 * YAML, for those who load it at its first use. Of a CommonJS package that is loaded so, the bundles of the functions
 * would only have the default export.
 */
export { stringify } from 'yaml';
