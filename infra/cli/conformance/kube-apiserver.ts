/** Starts a kube-apiserver with its etcd on free loopback ports, like controller-runtime's envtest. */
import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../shared/clock.ts';
import { end, freePorts, lastLines, run } from './processes.ts';

export interface KubeApiserver {
  url: string;
  /** The CA of its certificate. */
  ca: string;
  /** The token of a member of system:masters. */
  token: string;
  /** etcd and the API server. */
  processes: readonly ChildProcess[];
  stop(): Promise<void>;
}

const TOKEN = 'conformance';
const PATIENCE_SECONDS = 120;
const LOOK_MILLISECONDS = 100;

/** Starts both from `assets` (see envtest.ts), and resolves when the API server is ready. */
export const startKubeApiserver = async (assets: string): Promise<KubeApiserver> => {
  const home = mkdtempSync(join(tmpdir(), 'windlass-kube-apiserver-'));
  const [clients = 0, peers = 0, port = 0] = await freePorts(3);
  const children: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const child of children.toReversed()) await end(child);
    rmSync(home, { recursive: true, force: true });
  };
  try {
    children.push(run(home, join(assets, 'etcd'), etcdFlags(home, clients, peers)));
    children.push(run(home, join(assets, 'kube-apiserver'), apiserverFlags(home, clients, port)));
    const url = `https://127.0.0.1:${port}`;
    const ca = await untilReady(home, url, children);
    return { url, ca, token: TOKEN, processes: children, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const etcdFlags = (home: string, clients: number, peers: number): string[] => [
  `--data-dir=${join(home, 'etcd')}`,
  `--listen-client-urls=http://127.0.0.1:${clients}`,
  `--advertise-client-urls=http://127.0.0.1:${clients}`,
  `--listen-peer-urls=http://127.0.0.1:${peers}`,
  `--initial-advertise-peer-urls=http://127.0.0.1:${peers}`,
  `--initial-cluster=default=http://127.0.0.1:${peers}`,
  // As in envtest: nothing has to be kept after the process ends, and the comparison must not measure a disk.
  '--unsafe-no-fsync',
];

const apiserverFlags = (home: string, etcd: number, port: number): string[] => {
  const key = join(home, 'service-accounts.pem');
  const tokens = join(home, 'tokens.csv');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  writeFileSync(tokens, `${TOKEN},conformance,1,"system:masters"\n`, { mode: 0o600 });
  return [
    `--etcd-servers=http://127.0.0.1:${etcd}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${join(home, 'certificates')}`,
    `--token-auth-file=${tokens}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://localhost/',
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--allow-privileged=true',
    // Service accounts need a controller manager, which does not run here.
    '--disable-admission-plugins=ServiceAccount',
    // API Priority and Fairness could queue requests, which would distort measurements.
    '--enable-priority-and-fairness=false',
  ];
};

/** Waits until the server is ready, and resolves to its certificate. */
const untilReady = async (home: string, url: string, children: readonly ChildProcess[]): Promise<string> => {
  const certificate = join(home, 'certificates', 'apiserver.crt');
  const deadline = systemClock.now().getTime() + PATIENCE_SECONDS * 1000;
  while (systemClock.now().getTime() < deadline) {
    const gone = children.find(({ exitCode }) => exitCode !== null);
    if (gone) throw new Error(`${gone.spawnfile} ended:\n${lastLines(home, gone.spawnfile)}`);
    const ca = existsSync(certificate) ? readFileSync(certificate, 'utf8') : undefined;
    if (ca !== undefined && (await isReady(url, ca))) return ca;
    await systemClock.sleep(LOOK_MILLISECONDS);
  }
  throw new Error(`not ready within ${PATIENCE_SECONDS} s:\n${lastLines(home, 'kube-apiserver')}`);
};

const isReady = (url: string, ca: string): Promise<boolean> =>
  new Promise((resolve) => {
    const agent = new Agent({ ca });
    const asked = request(`${url}/readyz`, { agent, headers: { authorization: `Bearer ${TOKEN}` } }, (answer) => {
      answer.resume();
      agent.destroy();
      resolve(answer.statusCode === 200);
    });
    // Nothing listens yet, or the certificate is incomplete: poll again.
    asked.on('error', () => resolve(false));
    asked.end();
  });
