/**
 * YAML, for those who load it at its first use. Of a CommonJS package that is loaded so, the bundles of the functions
 * would only have the default export.
 */
import { stringify as stringifyYaml } from 'yaml';

/**
 * A document in YAML that is read as the same JSON. Parsers of YAML 1.1, such as those of Python, take a bare time for
 * one of their own types, `yes` for a truth and `0o17` for a text: texts that mean something there are quoted.
 */
export const stringify = (value: unknown): string =>
  stringifyYaml(value, { version: '1.1', compat: 'core', aliasDuplicateObjects: false, lineWidth: 0 });
