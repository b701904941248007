/** Runs `npm start` in a separate process, as users do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Access } from '../kubeconfig/kubeconfig.ts';
import { ROOT } from '../paths.ts';

/** The same flags as in the script `start` of package.json. */
const START_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=40'];

/** Runs `start` in a separate process, with its files in `home`. Resolves when it reports that it is ready. */
export const startChild = (home: string, bootSeconds: number): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    const args = [...START_FLAGS, 'infra/cli/windlass.ts', 'start', '--port', '0', '--boot', String(bootSeconds)];
    const env = { ...process.env, WINDLASS_HOME: home };
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes('is ready after')) resolve(child);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', reject);
    child.on('close', () => reject(new Error(`the start ended before it was ready:\n${output.trim()}`)));
  });

/** What a client needs, from the files that `start` has written. */
export const readAccess = (home: string): Access => {
  const { clusters, users } = parse(readFileSync(join(home, 'kubeconfig'), 'utf8'));
  const { args, env } = users[0].user.exec as { args: string[]; env: { name: string; value: string }[] };
  const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const { server, 'certificate-authority-data': authority } = clusters[0].cluster;
  return {
    server,
    caPem: Buffer.from(authority, 'base64').toString(),
    awsUrl: '',
    clusterId: args[1] ?? '',
    region: args[2] ?? '',
    credentials: {
      accessKeyId: variables.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: variables.AWS_SECRET_ACCESS_KEY ?? '',
      sessionToken: variables.AWS_SESSION_TOKEN || undefined,
    },
  };
};

/** Resident memory of a process in megabytes, as reported by Linux. */
export const residentMegabytes = (pid: number | undefined): number => {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
};

/** Ends `start` like Ctrl-C, and resolves when the process has ended. */
export const stopChild = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('close', () => resolve());
    child.kill('SIGTERM');
  });
