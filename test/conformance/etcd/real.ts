import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readKubeadms } from '../../../infra/cli/conformance/kubeadm.ts';
import { end, freePorts, lastLines, run } from '../../../infra/cli/conformance/processes.ts';
import { generateAuthority } from '../../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import { systemClock } from '../../../shared/clock.ts';
import { etcdAccess } from '../../../shared/distributions/kubeadm/etcd-access.ts';
import { systemRandom } from '../../../shared/random.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { type CommandResult, type PodCommand, WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import { issueMemberFiles, memberFlags, PKI } from './member-files.ts';
import type { EtcdSubject, StartEtcd } from './subject.ts';

const kubeadm = readKubeadms(process.env.WINDLASS_KUBEADM).at(-1);
const assets = process.env.KUBEBUILDER_ASSETS ?? '';
const etcdctl = process.env.WINDLASS_ETCDCTL ?? '';

/** If a program is missing, the suite is skipped, except in CI. */
export const skips = (!kubeadm || !assets || !etcdctl) && process.env.CI !== 'true';

/** etcd changes its members only after it has been connected to all of them for this long. */
const HEALTH_MILLISECONDS = 5_000;

/** Much longer than etcdctl's own timeout of two seconds. */
const COMMAND_MILLISECONDS = 60_000;

interface Member {
  name: string;
  directory: string;
  client: number;
  peer: number;
  process?: ChildProcess;
}

const spawned = (program: string, args: readonly string[]): Promise<CommandResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: COMMAND_MILLISECONDS });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal === null) resolve({ ...said, code: code ?? 1 });
      // Like a command in a pod that does not end.
      else reject(new WorkloadUnreachableError(`${args.join(' ')} did not end in time: ${said.stdout}${said.stderr}`));
    });
  });

/** The command as the container would run it, but with the member's own folder and port. */
const inContainer = ({ directory, client }: Member, words: readonly string[]): string[] =>
  words.map((word) => word.replace(PKI, join(directory, PKI)).replace('127.0.0.1:2379', `127.0.0.1:${client}`));

const lastWords = ({ stderr }: CommandResult): string => stderr.trim().split('\n').at(-1) ?? '';

const nameAndUrl = ({ name, peer }: Member): string => `${name}=https://127.0.0.1:${peer}`;

/** Starts real members as processes on loopback, with certificates from kubeadm and the real etcdctl. */
export const startRealEtcd: StartEtcd = async (names) => {
  const home = mkdtempSync(join(tmpdir(), 'windlass-etcd-'));
  const ca = await generateAuthority({ clock: systemClock, random: systemRandom, keys: webCryptoKeys });
  const members = new Map<string, Member>();

  const prepare = async (name: string): Promise<Member> => {
    const [client = 0, peer = 0] = await freePorts(2);
    const member: Member = { name, directory: join(home, name), client, peer };
    mkdirSync(member.directory, { recursive: true });
    issueMemberFiles(kubeadm?.path ?? '', kubeadm?.version ?? '', member.directory, ca, name);
    members.set(name, member);
    return member;
  };
  const boot = (member: Member, cluster: readonly Member[], state: 'new' | 'existing'): void => {
    const flags = memberFlags(member.directory, member, { cluster: cluster.map(nameAndUrl).join(','), state });
    member.process = run(member.directory, join(assets, 'etcd'), flags);
  };
  const access = etcdAccess();
  const ask = (member: Member, args: readonly string[]): Promise<CommandResult> =>
    spawned(etcdctl, inContainer(member, [...access.etcdctl().slice(1), ...args]));
  const living = (): Member[] => [...members.values()].filter((member) => member.process);

  const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    const deadline = systemClock.now().getTime() + PATIENCE_SECONDS * 1000;
    while (!(await isSo())) {
      if (systemClock.now().getTime() > deadline) {
        const logs = living().map(({ directory }) => lastLines(directory, 'etcd'));
        throw new Error(`not within ${PATIENCE_SECONDS} s: ${what}\n${logs.join('\n')}`);
      }
      await systemClock.sleep(200);
    }
  };
  const anyone = (): Member => {
    const [member] = living();
    if (!member) throw new Error('no member lives');
    return member;
  };
  const idOf = async (name: string): Promise<string> => {
    const { stdout } = await ask(anyone(), ['member', 'list']);
    const url = `https://127.0.0.1:${members.get(name)?.peer}`;
    return (
      stdout
        .split('\n')
        .find((line) => line.includes(`${url},`))
        ?.split(',')[0] ?? ''
    );
  };

  const allHealthy = async (): Promise<void> => {
    for (const member of living())
      await until(`${member.name} is healthy`, async () => (await ask(member, ['endpoint', 'health'])).code === 0);
  };

  const subject: EtcdSubject = {
    execute: async ({ pod, command }: PodCommand) => {
      const member = members.get(pod.slice('etcd-'.length));
      if (!member?.process) throw new WorkloadUnreachableError('no route to host');
      return spawned(etcdctl, inContainer(member, command.slice(1)));
    },
    addLearner: async (name) => {
      const { peer } = await prepare(name);
      const result = await ask(anyone(), ['member', 'add', name, '--learner', `--peer-urls=https://127.0.0.1:${peer}`]);
      return result.code === 0 ? undefined : lastWords(result).replace('Error: ', '');
    },
    start: async (name) => {
      const member = members.get(name);
      if (member) boot(member, [...living(), member], 'existing');
      await until(
        `${name} answers`,
        async () => (await ask(members.get(name) as Member, ['endpoint', 'status'])).code === 0,
      );
    },
    promote: async (name) => {
      const id = await idOf(name);
      await until(`${name} votes`, async () => (await ask(anyone(), ['member', 'promote', id])).code === 0);
    },
    kill: async (name) => {
      const member = members.get(name);
      if (!member?.process) return;
      member.process.kill('SIGKILL');
      await end(member.process);
      delete member.process;
    },
    fill: (name) =>
      until(`${name} has no space left`, async () => {
        const result = await ask(members.get(name) as Member, ['put', 'large', 'x'.repeat(100_000)]);
        return result.stderr.includes('database space exceeded');
      }),
    settle: async () => {
      await allHealthy();
      await systemClock.sleep(HEALTH_MILLISECONDS + 500);
    },
    stop: async () => {
      await Promise.all(living().map(({ process }) => process && end(process)));
      rmSync(home, { recursive: true, force: true });
    },
  };
  try {
    const first = await Promise.all(names.map(prepare));
    for (const member of first) boot(member, first, 'new');
    await subject.settle();
    return subject;
  } catch (error) {
    await subject.stop();
    throw error;
  }
};
