/** The conformance suites, each a folder of `test/conformance`, and what they need to run. */
import type { ToolName } from '../tools.ts';

export interface Suite {
  /** The programs that its tests use; others are not provided. */
  tools?: readonly ToolName[];
  /** It tests the API, and is part of `npm run conformance -- kube-api`. */
  api?: boolean;
  /** It is CPU-bound: it uses no programs, ports or files, and does not wait for time to pass. */
  computes?: boolean;
  /** It starts commands of `infra/cli/windlass.ts`, or runs the deployed bundles, in separate processes. */
  drives?: boolean;
  /** Files that its tests read without importing them, such as documents, or folders with a trailing slash. */
  reads?: readonly string[];
}

/** The sources of the template and the bundles, for suites that synthesize with other settings. */
const SYNTHESIZED = [
  'functions/',
  'shared/',
  ...['app', 'control-plane-stack', 'fixture-stack', 'source-file'].map((name) => `infra/${name}.ts`),
  ...['bundle', 'constructs', 'workflows'].map((name) => `infra/${name}/`),
];

export const SUITES: Readonly<Record<string, Suite>> = {
  access: { tools: ['kubectl', 'aws'], api: true, drives: true },
  addons: { tools: ['kube-apiserver', 'manifests'] },
  aws: { tools: ['moto', 'ministack', 'dynamodb-local'], drives: true, reads: ['docs/emulators.md'] },
  bootstrap: { tools: ['kubeadm', 'kube-apiserver', 'cloud-init', 'ignition', 'aws', 'go'] },
  cel: { tools: ['cel'], computes: true },
  'client-go': { tools: ['client-go', 'aws'], api: true, drives: true },
  'client-node': { api: true },
  'cloud-controller': { tools: ['kube-apiserver', 'cloud-controller', 'go'] },
  cloudformation: { tools: ['cfn-lint'], reads: [...SYNTHESIZED, 'docs/spoke-role.yaml'] },
  clusterctl: { tools: ['clusterctl', 'kubectl'], api: true, drives: true },
  command: { tools: ['kubectl', 'aws'], drives: true, reads: ['package.json', 'cdk.json', 'infra/cli/'] },
  'concurrent-clients': { api: true, computes: true },
  conditions: { tools: ['kube-apiserver', 'managers', 'go'], drives: true },
  'crash-points': { computes: true },
  delivery: { tools: ['ecosystem', 'kubectl', 'aws'], drives: true, reads: ['examples/quickstart.yaml'] },
  deploy: { tools: ['ministack', 'kubectl', 'aws'], drives: true, reads: ['docs/deploy.md', 'package.json'] },
  differential: { tools: ['kube-apiserver'], api: true, reads: ['docs/compatibility.md'] },
  drain: { tools: ['kube-apiserver', 'kubectl'], api: true },
  ecosystem: { tools: ['ecosystem', 'operators', 'kubectl'], api: true, reads: ['examples/quickstart.yaml'] },
  etcd: { tools: ['kubeadm', 'kube-apiserver', 'etcdctl'] },
  extensions: { tools: ['extension'], drives: true, reads: ['examples/clusterclass.yaml'] },
  fuzz: { api: true, computes: true },
  hosts: {
    tools: ['sshd', 'kubectl'],
    drives: true,
    reads: [...SYNTHESIZED, 'examples/hosts.yaml', 'examples/rancher-demo/'],
  },
  iam: { drives: true, reads: [...SYNTHESIZED, 'examples/extension.mjs'] },
  keep: { drives: true, reads: [...SYNTHESIZED, 'examples/quickstart.yaml'] },
  kubectl: { tools: ['kubectl', 'old-kubectl'], api: true, drives: true, reads: ['docs/plan.md'] },
  laptop: { tools: ['aws', 'kubectl'], drives: true, reads: [...SYNTHESIZED, 'docs/images.md'] },
  metrics: {
    tools: ['kubectl', 'aws', 'go', 'prometheus', 'kube-state-metrics'],
    drives: true,
    reads: ['examples/observability/', 'docs/observability.md'],
  },
  move: { tools: ['clusterctl', 'kube-apiserver', 'go'], drives: true },
  outside: {
    tools: ['managers', 'vsphere', 'go'],
    drives: true,
    reads: ['test/conformance/conditions/', 'examples/vsphere.yaml'],
  },
  page: { tools: ['chromium', 'kubectl', 'aws'], drives: true, reads: ['infra/cli/ui/', 'examples/quickstart.yaml'] },
  poison: { computes: true, reads: ['functions/', 'shared/'] },
  'python-client': { tools: ['python-client', 'aws'], api: true, drives: true },
  quickstart: { tools: ['kubectl', 'aws'], drives: true },
  rollouts: { tools: ['go'] },
  schemas: { tools: ['go'] },
  simulation: { computes: true },
  templates: { tools: ['templates', 'go'], drives: true },
  tenants: { drives: true, reads: ['test/conformance/tenants/small-watch.ts'] },
  topology: { tools: ['kube-apiserver', 'managers', 'templates', 'go'], drives: true },
  tutorial: { tools: ['kubectl', 'aws'], drives: true, reads: ['docs/tutorial.md', 'package.json'] },
  v1beta1: { tools: ['kubectl'], api: true, drives: true },
  'whole-system': { drives: true, reads: [...SYNTHESIZED, 'test/simulation/system/'] },
};

/** The suite of a test file, by its folder in `test/conformance`. Throws an Error if the suite is not declared. */
export const suiteOf = (file: string, suites: Readonly<Record<string, Suite>> = SUITES): Suite => {
  const [, name = ''] = /^test\/conformance\/([^/]+)\//.exec(file) ?? [];
  const suite = suites[name];
  if (!suite) throw new Error(`${file} is in no suite that infra/cli/conformance/suites/suites.ts declares`);
  return suite;
};

/**
 * The files that take longest, mostly because they wait. They start first if no earlier run has recorded times, because
 * a file that starts late would run alone at the end.
 */
export const LONG: readonly string[] = [
  'whole-system/whole-system',
  'concurrent-clients/concurrent-clients',
  'laptop/health',
  'laptop/lifelike',
  'topology/topology',
  'differential/differential',
  'templates/shard-0',
  'templates/shard-1',
  'deploy/deploy',
  'iam/iam',
  'keep/keep',
  'tutorial/tutorial',
].map((name) => `test/conformance/${name}.test.ts`);

/** Patterns of the test files of the suites that only compute. */
export const COMPUTING: readonly string[] = Object.entries(SUITES)
  .filter(([, { computes }]) => computes)
  .map(([name]) => `test/conformance/${name}/**/*.test.ts`);
