/** The vSphere programs, which Go builds from the modules in their go.mod; they are kept outside the checkout. */
import { join } from 'node:path';
import { type RunTool, runTool } from '../conformance/run-tool.ts';
import { provideSuiteProgram, provideSuitePrograms } from '../conformance/suite-program.ts';
import { ROOT } from '../paths.ts';

/** The paths of the programs. */
export interface VspherePrograms {
  /** The provider's manager, as upstream builds it. */
  provider: string;
  /** The vCenter in memory. */
  simulator: string;
}

const SOURCES = join(ROOT, 'infra', 'local', 'vsphere');

const PROVIDER = {
  suite: 'vsphere-provider',
  source: join(SOURCES, 'provider'),
  packages: { 'vsphere-provider': 'sigs.k8s.io/cluster-api-provider-vsphere' },
};
const SIMULATOR = { suite: 'vsphere-simulator', source: join(SOURCES, 'simulator') };

/**
 * Builds missing programs, which takes minutes; `say` reports it. Throws an Error that says what to install if it
 * cannot. Go is needed even if nothing is missing, because it finds the modules with the provider's definitions.
 */
export const provideVsphere = (say: (line: string) => void, run: RunTool = runTool): VspherePrograms => {
  if (run('go', ['version']).status !== 0)
    throw new Error('the vSphere provider needs Go, which builds it: see https://go.dev/dl/');
  return {
    provider: join(provideSuitePrograms(PROVIDER, say, run), 'vsphere-provider'),
    simulator: provideSuiteProgram(SIMULATOR, say, run),
  };
};
