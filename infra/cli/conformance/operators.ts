/** Provides the Python libraries for operators and scripts that the ecosystem suite needs. */
import { cacheFor } from './run-tool.ts';
import { providePython } from './virtual-environment.ts';

const PACKAGES = { kopf: '1.45.2', kr8s: '0.20.15' };

/** The folder of a virtual environment with kopf and kr8s. Throws an Error that says what to install if that fails. */
export const provideOperators = (say: (line: string) => void): string => {
  const directory = cacheFor(`operators-${Object.values(PACKAGES).join('-')}`);
  return providePython({ title: 'kopf and kr8s', packages: PACKAGES, directory }, say);
};
