import { BootstrapInvalidError } from '../../invalid.ts';
import type { IgnitionConfig } from '../config.ts';
import { check } from './check.ts';
import { convert } from './convert.ts';
import { readContainerLinuxConfig } from './read.ts';

const FIELD = 'spec.ignition.containerLinuxConfig.additionalConfig';

export interface Transpiled {
  config: IgnitionConfig;
  /** The invalid parts that were ignored. */
  warnings: string[];
}

/**
 * `additionalConfig` as an Ignition config. With `strict`, warnings are errors. Throws BootstrapInvalidError, which
 * names the location of each error.
 */
export const transpile = (source: string, strict = false): Transpiled => {
  const read = readContainerLinuxConfig(source);
  const config = convert(read.config, read);
  const problems = [...read.problems, ...check(config)];
  const { warnings } = read;
  const wrong = strict ? [...problems, ...warnings] : problems;
  if (wrong.length > 0) throw new BootstrapInvalidError(FIELD, wrong.join('; '));
  return { config, warnings: warnings.map((warning) => `${FIELD}: ${warning}`) };
};
