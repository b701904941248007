/** Runs AWS's own cloud controller manager, with a real kube-apiserver, on a simulated account. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Api } from '../../../infra/cli/api/client.ts';
import { openContext } from '../../../infra/cli/api/kubeconfig-client.ts';
import { startKubeApiserver } from '../../../infra/cli/conformance/kube-apiserver.ts';
import { end, freePorts, lastLines, run } from '../../../infra/cli/conformance/processes.ts';
import { kubeconfigOf } from '../../../infra/cli/conformance/upstream/definitions.ts';

export interface Upstream {
  api: Api;
  /** Starts the cloud controller manager, which runs until `stop`. */
  startController(options: ControllerOptions): Promise<void>;
  /** The last lines of the cloud controller manager's output. */
  lastWords(): string;
  stop(): Promise<void>;
}

interface ControllerOptions {
  endpoint: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  vpcId: string;
  subnetId: string;
  /** Command-line flags that select and configure the controllers. */
  duty: readonly string[];
}

export const SERVICES_DUTY = ['--controllers=service-lb-controller', '--configure-cloud-routes=false'];

export const routesDuty = (podBlock: string): string[] => [
  '--controllers=node-route-controller',
  ...['--configure-cloud-routes=true', '--allocate-node-cidrs=true', `--cluster-cidr=${podBlock}`],
  '--route-reconciliation-period=2s',
];

const cloudConfig = ({ vpcId, subnetId }: ControllerOptions): string =>
  [
    '[Global]',
    'Zone=us-east-1a',
    'Region=us-east-1',
    `VPC=${vpcId}`,
    `SubnetID=${subnetId}`,
    'KubernetesClusterID=red',
    '',
  ].join('\n');

const variableOf = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: npm run conformance sets it`);
  return value;
};

/** Starts the API server. Rejects with its last output if it does not start. */
export const startUpstream = async (): Promise<Upstream> => {
  const program = variableOf('WINDLASS_CLOUD_CONTROLLER');
  const server = await startKubeApiserver(variableOf('KUBEBUILDER_ASSETS'));
  const home = mkdtempSync(join(tmpdir(), 'windlass-cloud-controller-'));
  const kubeconfig = kubeconfigOf(server);
  const { api } = openContext({ kubeconfig });
  let stopController = async (): Promise<void> => {};
  return {
    api,
    startController: async (options) => {
      const file = join(home, 'cloud.conf');
      writeFileSync(file, cloudConfig(options));
      const [port = 0] = await freePorts(1);
      const child = run(
        home,
        program,
        [
          ...['--cloud-provider=aws', `--cloud-config=${file}`, `--kubeconfig=${kubeconfig}`],
          ...['--cluster-name=red', ...options.duty],
          ...['--leader-elect=false', '--authentication-skip-lookup=true', `--secure-port=${port}`],
          ...['--bind-address=127.0.0.1', `--cert-dir=${join(home, 'certificates')}`],
        ],
        {
          AWS_ENDPOINT_URL: options.endpoint,
          AWS_REGION: 'us-east-1',
          AWS_ACCESS_KEY_ID: options.credentials.accessKeyId,
          AWS_SECRET_ACCESS_KEY: options.credentials.secretAccessKey,
          AWS_EC2_METADATA_DISABLED: 'true',
        },
      );
      stopController = () => end(child);
    },
    lastWords: () => lastLines(home, program),
    stop: async () => {
      await stopController();
      api.close();
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
};
