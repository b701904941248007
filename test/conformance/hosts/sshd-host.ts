import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const QUIET_MILLISECONDS = 300;

/** Replacements for programs of a host. They record their arguments in /calls. */
const PROGRAMS = {
  kubeadm: `case $1 in
init|join) mkdir -p /etc/kubernetes; echo x >/etc/kubernetes/kubelet.conf; cp /usr/bin/sleep /tmp/kubelet
  [ ! -e /slow ] || sleep "$(cat /slow)"
  [ ! -e /broken ] || { echo "error execution phase preflight: token abcdef.0123456789abcdef is wrong" >&2; exit 1; }
  setsid /tmp/kubelet 1000 </dev/null >/dev/null 2>&1 & ;;
reset) kill "$(grep -lx kubelet /proc/[0-9]*/comm | cut -d/ -f3)"; sleep 0.2 ;;
esac`,
  systemctl: '',
};

const CONFIGURATION = `
ListenAddress 127.0.0.1
HostKey /etc/ssh/host_key
HostKey /etc/ssh/other_key
AuthorizedKeysFile /etc/ssh/authorized_keys
PermitRootLogin yes
PasswordAuthentication no
StrictModes no
UsePAM no
PidFile none
`;

/**
 * Starts a host with a real sshd from an overlay over this computer's files, in its own namespaces, so that no file of
 * this computer changes. The host has its own host name, processes and /var/lib.
 */
const BOOT = `set -e
mount -t tmpfs tmpfs "$WORK"
mkdir "$WORK/upper" "$WORK/work" "$WORK/merged"
cp -a "$BEFORE/." "$WORK/upper/"
cp -a "$SSHD/usr" "$WORK/upper/"
[ ! -d "$SSHD/lib" ] || cp -a "$SSHD/lib/." "$WORK/upper/usr/lib/"
mount -t overlay overlay -o "lowerdir=/,upperdir=$WORK/upper,workdir=$WORK/work" "$WORK/merged"
mount -t proc proc "$WORK/merged/proc"
mount --bind /dev "$WORK/merged/dev"
mount -t tmpfs tmpfs "$WORK/merged/run"
mkdir -p "$WORK/merged/run/sshd"
mount --bind "$SHARED" "$WORK/merged/mnt"
hostname node-1
exec chroot "$WORK/merged" /usr/sbin/sshd -D -e -p "$PORT"
`;

/** Whether the tests may create mount namespaces: root may, except in many containers. */
export const mayHost = (): boolean =>
  spawnSync('unshare', ['--mount', '--uts', '--pid', '--fork', 'sh', '-c', 'mount -t proc proc /proc']).status === 0;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

const listens = async (port: number, child: ChildProcess): Promise<void> => {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await pause(50);
  }
  throw new Error('sshd did not start');
};

const makeKey = (file: string, type = 'ed25519'): void => {
  const { status, stderr } = spawnSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ssh-keygen: ${stderr}`);
};

export interface SshdHost {
  readonly port: number;
  /** The public key of the host, in the format of known_hosts. */
  readonly hostKey: string;
  readonly privateKey: string;
  /** A private key that the host does not accept. */
  readonly strangersKey: string;
  /** sshd's log, once no more lines arrive. */
  log(): Promise<string>;
  /** Runs a command on the host as root, without SSH. Returns its output. */
  run(command: string): string;
  stop(): Promise<void>;
}

/** Starts a host with the sshd in the folder `sshd`. */
export const startSshdHost = async (sshd: string): Promise<SshdHost> => {
  const home = mkdtempSync(join(tmpdir(), 'windlass-sshd-'));
  const [before = '', work = '', shared = ''] = ['before', 'work', 'shared'].map((name) => join(home, name));
  const put = (path: string, content: string, mode = 0o644): void => {
    mkdirSync(dirname(join(before, path)), { recursive: true });
    writeFileSync(join(before, path), content, { mode });
  };
  for (const directory of [work, shared]) mkdirSync(directory, { recursive: true });
  for (const [name, body] of Object.entries(PROGRAMS))
    put(`usr/local/bin/${name}`, `#!/bin/sh\necho "${name} $*" >>/calls\n${body}\n`, 0o755);
  put('etc/ssh/sshd_config', CONFIGURATION, 0o600);
  const users = readFileSync('/etc/passwd', 'utf8').replace(/^(root|sshd):.*\n/gm, '');
  put('etc/passwd', `root:x:0:0:root:/root:/bin/sh\nsshd:x:990:65534::/run/sshd:/usr/sbin/nologin\n${users}`);
  put('etc/shadow', 'root:*:20000:0:99999:7:::\n', 0o600);
  for (const [file, type] of [
    ['host_key', 'ed25519'],
    ['other_key', 'rsa'],
    ['user_key', 'ed25519'],
    ['strangers_key', 'ed25519'],
  ] as const)
    makeKey(join(before, 'etc/ssh', file), type);
  const read = (path: string): string => readFileSync(join(before, path), 'utf8');
  put('etc/ssh/authorized_keys', read('etc/ssh/user_key.pub'), 0o600);
  const port = await freePort();
  const env = { ...process.env, BEFORE: before, WORK: work, SHARED: shared, SSHD: sshd, PORT: String(port) };
  const child = spawn('unshare', ['--mount', '--uts', '--pid', '--fork', '--kill-child', 'sh', '-c', BOOT], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  await listens(port, child).catch((error: Error) => {
    throw new Error(`${error.message}: ${said}`);
  });
  const identity = join(home, 'identity');
  writeFileSync(identity, read('etc/ssh/user_key'), { mode: 0o600 });
  const options = [
    '-i',
    identity,
    '-p',
    String(port),
    '-o',
    'StrictHostKeyChecking=no',
    '-o',
    'UserKnownHostsFile=/dev/null',
    '-o',
    'LogLevel=ERROR',
  ];
  return {
    port,
    hostKey: read('etc/ssh/host_key.pub').trim(),
    privateKey: read('etc/ssh/user_key'),
    strangersKey: read('etc/ssh/strangers_key'),
    log: async () => {
      for (let before = -1; before !== said.length; await pause(QUIET_MILLISECONDS)) before = said.length;
      return said;
    },
    run: (command) => {
      const { stdout, stderr } = spawnSync('ssh', [...options, 'root@127.0.0.1', command], { encoding: 'utf8' });
      return `${stdout}${stderr}`;
    },
    stop: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
      if (existsSync(home)) rmSync(home, { recursive: true, force: true });
    },
  };
};
