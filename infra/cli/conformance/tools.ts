/** The programs that the conformance suites need, each with how it is found or installed. */
import { delimiter, join } from 'node:path';
import { ROOT } from '../paths.ts';
import { provideAws } from './aws.ts';
import { provideCloudInit } from './cloud-init.ts';
import { provideClusterctl } from './clusterctl.ts';
import { MINISTACK, MOTO, provideDynamoDbLocal, provideEmulator } from './emulators.ts';
import { provideEnvtest } from './envtest.ts';
import { provideEtcdctl } from './etcdctl.ts';
import { provideKubeadm, writeKubeadms } from './kubeadm.ts';
import { provideKubectl } from './kubectl.ts';
import { provideOldKubectl } from './old-kubectl.ts';
import { providePythonClient } from './python-client.ts';
import { provideSuiteProgram } from './suite-program.ts';

type Say = (line: string) => void;

interface Tool {
  name: string;
  /** Finds or installs it and gives what the suites' environment needs for it. Throws an Error that says what to do. */
  provide(say: Say): { directory?: string; variables?: Record<string, string> };
}

const SUITES = join(ROOT, 'test', 'conformance');
const CLIENT_GO = { suite: 'client-go', source: join(SUITES, 'client-go', 'program') };
const MANIFESTS = { suite: 'manifests', source: join(SUITES, 'addons', 'program') };
const IGNITION = { suite: 'ignition', source: join(SUITES, 'bootstrap', 'ignition-program') };

export const TOOLS: readonly Tool[] = [
  { name: 'kubectl', provide: (say) => ({ directory: provideKubectl(say) }) },
  { name: 'kubectl 1.20', provide: (say) => ({ variables: { WINDLASS_OLD_KUBECTL: provideOldKubectl(say) } }) },
  { name: 'the AWS CLI', provide: (say) => ({ directory: provideAws(say) }) },
  { name: 'clusterctl', provide: (say) => ({ directory: provideClusterctl(say) }) },
  { name: 'the Python client', provide: (say) => ({ variables: { WINDLASS_PYTHON: providePythonClient(say) } }) },
  {
    name: 'the client-go suite',
    provide: (say) => ({ variables: { WINDLASS_CLIENT_GO: provideSuiteProgram(CLIENT_GO, say) } }),
  },
  {
    name: 'kube-apiserver and etcd',
    provide: (say) => ({ variables: { KUBEBUILDER_ASSETS: provideEnvtest(say) } }),
  },
  { name: 'etcdctl', provide: (say) => ({ variables: { WINDLASS_ETCDCTL: provideEtcdctl(say) } }) },
  { name: 'cloud-init', provide: (say) => ({ variables: { WINDLASS_CLOUD_INIT: provideCloudInit(say) } }) },
  { name: 'Ignition', provide: (say) => ({ variables: { WINDLASS_IGNITION: provideSuiteProgram(IGNITION, say) } }) },
  {
    name: 'the manifests of Cluster API',
    provide: (say) => ({ variables: { WINDLASS_MANIFESTS: provideSuiteProgram(MANIFESTS, say) } }),
  },
  { name: 'kubeadm', provide: (say) => ({ variables: { WINDLASS_KUBEADM: writeKubeadms(provideKubeadm(say)) } }) },
  { name: 'moto', provide: (say) => ({ variables: { WINDLASS_MOTO: provideEmulator(MOTO, say) } }) },
  { name: 'ministack', provide: (say) => ({ variables: { WINDLASS_MINISTACK: provideEmulator(MINISTACK, say) } }) },
  {
    name: 'DynamoDB Local',
    provide: (say) => ({ variables: { WINDLASS_DYNAMODB_LOCAL: provideDynamoDbLocal(say) } }),
  },
];

export interface Provided {
  /** For the suites: the PATH and what else tells where the tools are. */
  variables: Record<string, string>;
  /** One line for each tool that could not be had. */
  missing: string[];
}

/** Provides each tool, one after the other. What fails is told and does not keep the others from being used. */
export const provideTools = (say: Say, path: string | undefined, tools: readonly Tool[] = TOOLS): Provided => {
  const variables: Record<string, string> = {};
  const directories: string[] = [];
  const missing: string[] = [];
  for (const { name, provide } of tools) {
    try {
      const { directory, variables: more } = provide(say);
      if (directory !== undefined) directories.push(directory);
      Object.assign(variables, more);
    } catch (error) {
      missing.push(`not run, for want of ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { variables: { ...variables, PATH: [...directories, path].join(delimiter) }, missing };
};
