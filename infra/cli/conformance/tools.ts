/** The programs that the conformance suites need, and how each is found or installed. */
import { delimiter, join } from 'node:path';
import { ROOT } from '../paths.ts';
import { provideVsphere } from '../vsphere/programs.ts';
import { provideAws } from './aws.ts';
import { CFN_LINT } from './cfn-lint.ts';
import { provideChromium } from './chromium.ts';
import { provideCloudInit } from './cloud-init.ts';
import { provideClusterctl } from './clusterctl.ts';
import { MINISTACK, MOTO, provideDynamoDbLocal } from './emulators.ts';
import { provideEnvtest } from './envtest.ts';
import { provideEtcdctl } from './etcdctl.ts';
import { provideKubeadm, writeKubeadms } from './kubeadm.ts';
import { provideKubectl } from './kubectl.ts';
import { type Lock, lockIn } from './lock.ts';
import { provideOldKubectl } from './old-kubectl.ts';
import { provideOperators } from './operators.ts';
import { providePrometheus } from './prometheus.ts';
import { providePythonClient } from './python-client.ts';
import { providePythonProgram } from './python-program.ts';
import { cacheFor, type RunTool, runTool } from './run-tool.ts';
import { provideSshd } from './sshd.ts';
import { provideSuiteProgram, provideSuitePrograms } from './suite-program.ts';

type Say = (line: string) => void;

interface Found {
  /** The directory to add to the PATH. */
  directory?: string;
  /** Variables for the environment of the suites. */
  variables?: Record<string, string>;
}

interface Tool {
  /** The readable name. */
  title: string;
  /**
   * Finds or installs the tool, and returns what the suites' environment needs for it. Throws an Error that says what
   * to do if that fails.
   */
  provide(say: Say): Found;
  /**
   * A command that prints the version, for a program whose path does not identify it because it is on the PATH or
   * provided by the user.
   */
  version?(found: Found): readonly string[];
}

const SUITES = join(ROOT, 'test', 'conformance');
const CLIENT_GO = { suite: 'client-go', source: join(SUITES, 'client-go', 'program') };
const MANIFESTS = { suite: 'manifests', source: join(SUITES, 'addons', 'program') };
const TEMPLATES = { suite: 'templates', source: join(SUITES, 'templates', 'program') };
/** Upstream's own commands, and one of Windlass for the infrastructure that they need. */
const MANAGERS = {
  suite: 'conditions',
  source: join(SUITES, 'conditions', 'program'),
  packages: {
    core: 'sigs.k8s.io/cluster-api/core',
    bootstrap: 'sigs.k8s.io/cluster-api/bootstrap/kubeadm',
    'control-plane': 'sigs.k8s.io/cluster-api/controlplane/kubeadm',
    infrastructure: '.',
  },
};
const CLOUD_CONTROLLER = {
  suite: 'cloud-controller',
  source: join(SUITES, 'cloud-controller', 'program'),
  packages: { 'cloud-controller': 'k8s.io/cloud-provider-aws/cmd/aws-cloud-controller-manager' },
};
const CEL = { suite: 'cel', source: join(SUITES, 'cel', 'program') };
const EXTENSION = { suite: 'extensions', source: join(SUITES, 'extensions', 'program') };
const STATE_METRICS = { suite: 'metrics', source: join(SUITES, 'metrics', 'program') };
/** Helm's own command, and a program that runs the libraries of Argo CD and Flux. */
const ECOSYSTEM = {
  suite: 'ecosystem',
  source: join(SUITES, 'ecosystem', 'program'),
  packages: { helm: 'helm.sh/helm/v4/cmd/helm', suite: '.' },
};
const IGNITION = { suite: 'ignition', source: join(SUITES, 'bootstrap', 'ignition-program') };

const provideGo = (run: RunTool = runTool): Found => {
  if (run('go', ['version']).status !== 0) throw new Error('Go is needed: see https://go.dev/dl/');
  return {};
};

export const TOOLS = {
  kubectl: {
    title: 'kubectl',
    provide: (say) => ({ directory: provideKubectl(say) }),
    version: () => ['kubectl', 'version', '--client', '-o', 'json'],
  },
  'old-kubectl': {
    title: 'kubectl 1.20',
    provide: (say) => ({ variables: { WINDLASS_OLD_KUBECTL: provideOldKubectl(say) } }),
  },
  aws: {
    title: 'the AWS CLI',
    provide: (say) => ({ directory: provideAws(say) }),
    version: () => ['aws', '--version'],
  },
  clusterctl: {
    title: 'clusterctl',
    provide: (say) => ({ directory: provideClusterctl(say) }),
    version: () => ['clusterctl', 'version', '-o', 'short'],
  },
  chromium: {
    title: 'Chromium',
    provide: (say) => ({ variables: { WINDLASS_CHROMIUM: provideChromium(say) } }),
  },
  go: { title: 'Go', provide: () => provideGo(), version: () => ['go', 'version'] },
  'python-client': {
    title: 'the Python client',
    provide: (say) => ({ variables: { WINDLASS_PYTHON: providePythonClient(say) } }),
  },
  'client-go': {
    title: 'the client-go suite',
    provide: (say) => ({ variables: { WINDLASS_CLIENT_GO: provideSuiteProgram(CLIENT_GO, say) } }),
  },
  'kube-apiserver': {
    title: 'kube-apiserver and etcd',
    provide: (say) => ({ variables: { KUBEBUILDER_ASSETS: provideEnvtest(say) } }),
    version: ({ variables }) => [join(variables?.KUBEBUILDER_ASSETS ?? '', 'kube-apiserver'), '--version'],
  },
  etcdctl: { title: 'etcdctl', provide: (say) => ({ variables: { WINDLASS_ETCDCTL: provideEtcdctl(say) } }) },
  'cloud-init': {
    title: 'cloud-init',
    provide: (say) => ({ variables: { WINDLASS_CLOUD_INIT: provideCloudInit(say) } }),
  },
  sshd: { title: "OpenSSH's server", provide: (say) => ({ variables: { WINDLASS_SSHD: provideSshd(say) } }) },
  ignition: {
    title: 'Ignition',
    provide: (say) => ({ variables: { WINDLASS_IGNITION: provideSuiteProgram(IGNITION, say) } }),
  },
  prometheus: {
    title: 'Prometheus',
    provide: (say) => ({ variables: { WINDLASS_PROMETHEUS: providePrometheus(say) } }),
    version: ({ variables }) => [join(variables?.WINDLASS_PROMETHEUS ?? '', 'promtool'), '--version'],
  },
  'kube-state-metrics': {
    title: 'kube-state-metrics',
    provide: (say) => ({ variables: { WINDLASS_STATE_METRICS: provideSuiteProgram(STATE_METRICS, say) } }),
  },
  manifests: {
    title: 'the manifests of Cluster API',
    provide: (say) => ({ variables: { WINDLASS_MANIFESTS: provideSuiteProgram(MANIFESTS, say) } }),
  },
  templates: {
    title: "upstream's cluster templates",
    provide: (say) => ({ variables: { WINDLASS_TEMPLATES: provideSuiteProgram(TEMPLATES, say) } }),
  },
  cel: {
    title: "Cluster API's judgement of rules in CEL",
    provide: (say) => ({ variables: { WINDLASS_CEL: provideSuiteProgram(CEL, say) } }),
  },
  extension: {
    title: "an extension with upstream's server",
    provide: (say) => ({ variables: { WINDLASS_EXTENSION: provideSuiteProgram(EXTENSION, say) } }),
  },
  'cloud-controller': {
    title: "AWS's cloud controller manager",
    provide: (say) => {
      const directory = provideSuitePrograms(CLOUD_CONTROLLER, say);
      return { variables: { WINDLASS_CLOUD_CONTROLLER: join(directory, 'cloud-controller') } };
    },
  },
  managers: {
    title: "Cluster API's managers",
    provide: (say) => ({ variables: { WINDLASS_MANAGERS: provideSuitePrograms(MANAGERS, say) } }),
  },
  vsphere: {
    title: 'the vSphere provider and the simulator of vSphere',
    provide: (say) => {
      const { provider, simulator } = provideVsphere(say);
      return { variables: { WINDLASS_VSPHERE_PROVIDER: provider, WINDLASS_VSPHERE_SIMULATOR: simulator } };
    },
  },
  ecosystem: {
    title: 'Helm, Argo CD and Flux',
    provide: (say) => ({ variables: { WINDLASS_ECOSYSTEM: provideSuitePrograms(ECOSYSTEM, say) } }),
  },
  operators: {
    title: 'kopf and kr8s',
    provide: (say) => ({ variables: { WINDLASS_OPERATORS: provideOperators(say) } }),
  },
  kubeadm: {
    title: 'kubeadm',
    provide: (say) => ({ variables: { WINDLASS_KUBEADM: writeKubeadms(provideKubeadm(say)) } }),
  },
  moto: { title: 'moto', provide: (say) => ({ variables: { WINDLASS_MOTO: providePythonProgram(MOTO, say) } }) },
  ministack: {
    title: 'ministack',
    provide: (say) => ({ variables: { WINDLASS_MINISTACK: providePythonProgram(MINISTACK, say) } }),
  },
  'cfn-lint': {
    title: 'cfn-lint',
    provide: (say) => ({ variables: { WINDLASS_CFN_LINT: providePythonProgram(CFN_LINT, say) } }),
  },
  'dynamodb-local': {
    title: 'DynamoDB Local',
    provide: (say) => ({ variables: { WINDLASS_DYNAMODB_LOCAL: provideDynamoDbLocal(say) } }),
  },
} as const satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof TOOLS;

export interface Provided {
  /** For the suites: the PATH, and other variables that locate the tools. */
  variables: Record<string, string>;
  /** The path and version of each tool, to distinguish it from others. */
  identities: Record<string, string>;
  /** The reason in one line for each unavailable tool. */
  missing: Record<string, string>;
}

const identityOf = (tool: Tool, found: Found, path: string | undefined, run: RunTool): string => {
  const [command, ...args] = tool.version?.(found) ?? [];
  const env = { PATH: [found.directory ?? [], path ?? []].flat().join(delimiter) };
  const said = command === undefined ? '' : run(command, args, { env }).stdout;
  return JSON.stringify([found, said]);
};

/**
 * Provides the tools one after the other, each in only one process at a time. If a tool cannot be provided, this is
 * reported, and the others are still provided.
 */
export const provideTools = (
  say: Say,
  path: string | undefined,
  tools: Readonly<Record<string, Tool>> = TOOLS,
  run: RunTool = runTool,
  lock: Lock = lockIn(cacheFor('locks'), say),
): Provided => {
  const provided: Provided = { variables: {}, identities: {}, missing: {} };
  const directories: string[] = [];
  for (const [name, tool] of Object.entries(tools)) {
    try {
      const found = lock(name, () => tool.provide(say));
      if (found.directory !== undefined) directories.push(found.directory);
      Object.assign(provided.variables, found.variables);
      provided.identities[name] = identityOf(tool, found, path, run);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      provided.missing[name] = `not run, because ${tool.title} is missing: ${message}`;
    }
  }
  provided.variables.PATH = [...directories, path].join(delimiter);
  return provided;
};
