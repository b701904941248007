import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { end, lastLines, run } from '../../../infra/cli/conformance/processes.ts';
import type { KubeadmConfigSpec } from '../../../shared/bootstrap/kubeadm/spec.ts';
import type { RootFolder } from './root-folder.ts';

export interface Ports {
  api: number;
  etcd: number;
  peers: number;
  metrics: number;
}

const argsOf = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

/** Settings that make all servers of a machine listen only on loopback. */
export const onLoopback = ({ api, etcd, peers, metrics }: Ports): KubeadmConfigSpec => ({
  clusterConfiguration: {
    apiServer: {
      extraArgs: argsOf({ 'bind-address': '127.0.0.1', 'etcd-servers': `https://127.0.0.1:${etcd}` }),
    },
    etcd: {
      local: {
        extraArgs: argsOf({
          'listen-client-urls': `https://127.0.0.1:${etcd}`,
          'advertise-client-urls': `https://127.0.0.1:${etcd}`,
          'listen-peer-urls': `https://127.0.0.1:${peers}`,
          'initial-advertise-peer-urls': `https://127.0.0.1:${peers}`,
          'initial-cluster': `one=https://127.0.0.1:${peers}`,
          'listen-metrics-urls': `http://127.0.0.1:${metrics}`,
        }),
      },
    },
  },
  initConfiguration: {
    nodeRegistration: { name: 'one', taints: [] },
    localAPIEndpoint: { advertiseAddress: '10.0.0.1', bindPort: api },
  },
});

export interface StaticPods {
  /** The last output of a server. */
  words(name: string): string;
  stop(): Promise<void>;
}

/**
 * Starts the servers of kubeadm's manifests with the arguments in the manifests. The programs are in `assets`. `env` is
 * added to the environment.
 */
export const startStaticPods = (
  { directory, read }: RootFolder,
  assets: string,
  names: string[],
  env: Readonly<Record<string, string>> = {},
): StaticPods => {
  const home = mkdtempSync(join(tmpdir(), 'windlass-static-pods-'));
  const children: ChildProcess[] = names.map((name) => {
    const manifest = parse(read(`/etc/kubernetes/manifests/${name}.yaml`));
    const [program = '', ...args] = manifest.spec.containers[0].command as string[];
    // In the containers, the machine's folders are mounted at the same paths.
    const below = args.map((arg) => arg.replace(/(?<==)\/(?=etc\/|var\/)/, `${directory}/`));
    return run(home, join(assets, program), below, env);
  });
  return {
    words: (name) => lastLines(home, name),
    stop: async () => {
      for (const child of children.toReversed()) await end(child);
      rmSync(home, { recursive: true, force: true });
    },
  };
};
