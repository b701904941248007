import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIMIT, withMoreTime } from '../../../shared/test-patience.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const QUICKSTART = 'examples/quickstart.yaml';

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

const newHome = (): string => mkdtempSync(join(tmpdir(), 'windlass-start-'));

/**
 * Runs `npm start` with these arguments, with its files in `home` and its output in a pipe. `onOutput` may interrupt
 * it.
 */
const start = (args: readonly string[], home = newHome(), onOutput?: (text: string, interrupt: () => void) => void) =>
  new Promise<Ended>((resolve, reject) => {
    const env = { ...process.env, WINDLASS_HOME: home };
    const child = spawn(process.execPath, ['infra/cli/windlass.ts', 'start', ...args], { cwd: ROOT, env });
    const ended: Ended = { code: null, stdout: '', stderr: '' };
    // A second Ctrl-C would end the process immediately.
    let isInterrupted = false;
    const interrupt = (): void => {
      if (!isInterrupted) child.kill('SIGINT');
      isInterrupted = true;
    };
    child.stdout.on('data', (chunk: Buffer) => {
      ended.stdout += chunk.toString();
      onOutput?.(ended.stdout, interrupt);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      ended.stderr += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...ended, code }));
  });

const fileOf = (text: string): string => {
  const file = join(newHome(), 'manifest.yaml');
  writeFileSync(file, text);
  return file;
};

const listening = (): Promise<{ port: number; close(): void }> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () =>
      resolve({ port: (server.address() as AddressInfo).port, close: () => server.close() }),
    );
  });

describe('npm start', { timeout: LIMIT }, () => {
  it('reports in one line that its port is in use, and touches no file', async () => {
    const other = await listening();
    const home = newHome();

    const { code, stdout, stderr } = await start(['--port', String(other.port)], home);
    other.close();

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^port \d+ is in use: is another npm start running\?.*\n$/);
    expect(existsSync(join(home, 'kubeconfig'))).toBe(false);
    expect(existsSync(join(home, 'logs'))).toBe(false);
  });

  it.each([
    [['--apply', 'no/such.yaml'], 'error: the path "no/such.yaml" does not exist'],
    [['--apply', fileOf('a: [1\nb: 2\n')], 'error converting YAML to JSON: yaml: line'],
    [['--once'], '--once waits for Clusters, but no file that is to be applied (--apply FILE) holds one'],
    [['--port', 'x'], 'It must be a whole number from 0 to 65535.'],
    [['--boot', '-1'], 'It must be a number from 0 to 3600.'],
    [['--aws', 'ftp://x'], 'It must be the address of an endpoint'],
    [['--applly', 'x'], "unknown option '--applly'"],
  ])('refuses %j before anything is started', async (args, message) => {
    const { code, stderr } = await start(['--port', '0', ...args]);

    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  it('runs until Ctrl-C, and then ends cleanly', async () => {
    const home = newHome();

    const { code, stdout, stderr } = await start(['--port', '0'], home, (text, interrupt) => {
      if (text.includes('Ctrl-C stops everything')) interrupt();
    });

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Windlass is ready after');
    expect(readFileSync(join(home, 'env'), 'utf8')).toMatch(/^export AWS_ENDPOINT_URL=http:\/\/127\.0\.0\.1:\d+$/m);
    expect(statSync(join(home, 'kubeconfig')).mode & 0o777).toBe(0o600);
  });

  it('with --once creates the quickstart, reports progress line by line, and ends', async () => {
    const { code, stdout, stderr } = await start(['--port', '0', '--apply', QUICKSTART, '--once', '--boot', '0.2']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^cluster\.cluster\.x-k8s\.io\/quickstart created$/m);
    expect(
      // On a slow computer a machine may already be running at the first check.
      stdout.match(/^ *\+\d+\.\ds {2}Machine quickstart-[\w-]+ {2}(\w+ → )?Running {2}i-\w+ us-east-1\w$/gm),
    ).toHaveLength(6);
    expect(stdout).toMatch(/Cluster quickstart is Available after \d+\.\d s, of which 0\.2 s simulated boot\./);
    expect(stdout).toContain('3 control plane machines, 3 workers, Kubernetes v1.34.0');
    expect(stdout).toContain(`npm start -- --apply ${QUICKSTART}`);
    // The output in a pipe is plain text, without colours and cursor movements.
    expect(stdout).not.toContain('\u001b');
  });

  it('with --once reports what is missing when the time is up', async () => {
    // Machines that boot for an hour cannot run within the time limit, but all of them must have been created.
    const slow = ['--port', '0', '--apply', QUICKSTART, '--once', '--boot', '3600', '--timeout'];
    const waiting = /^ {2}- Machine quickstart-[\w-]+: \w+/gm;

    const { code, stderr } = await withMoreTime(
      6,
      (seconds) => start([...slow, String(seconds)]),
      (ended) => ended.stderr.match(waiting)?.length === 6,
    );

    expect(code).toBe(1);
    expect(stderr).toMatch(/^Cluster quickstart is not complete after \d+ s:$/m);
    // The progress depends on the computer, but each machine must be named.
    expect(stderr.match(waiting)).toHaveLength(6);
    expect(stderr).toContain('  - MachineDeployment quickstart-md-0: 0 of 3 machines are Running');
  });

  it('with --once fails if the API refuses something, with the path of the field', async () => {
    const manifest = readFileSync(join(ROOT, QUICKSTART), 'utf8').replace(
      /replicas: 3(?=\n {2}version)/,
      'replicas: 2',
    );

    const { code, stderr } = await start(['--port', '0', '--apply', fileOf(manifest), '--once']);

    expect(code).toBe(1);
    expect(stderr).toContain('The KubeadmControlPlane "quickstart-control-plane" is invalid: spec.replicas: ');
  });
});
