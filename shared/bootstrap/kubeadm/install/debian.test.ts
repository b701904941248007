import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { debianInstaller } from './debian.ts';
import { flatcarInstaller } from './flatcar.ts';
import { INSTALL_SCRIPT_PATH } from './script.ts';

it.each([debianInstaller, flatcarInstaller])(
  'each install script makes the kernel forward IPv4 and IPv6, as kubeadm requires',
  ({ content }) => {
    const command = /^printf '(.*)' >\/etc\/sysctl.d\//m.exec(content)?.[1];
    const { stdout } = spawnSync('printf', [command ?? ''], { encoding: 'utf8' });
    expect(stdout.trim().split('\n')).toEqual([
      'net.bridge.bridge-nf-call-iptables = 1',
      'net.bridge.bridge-nf-call-ip6tables = 1',
      'net.ipv4.ip_forward = 1',
      '-net.ipv6.conf.all.forwarding = 1',
    ]);
  },
);

it('the Debian installer is valid bash, and refuses an image without apt', () => {
  expect(spawnSync('bash', ['-n'], { input: debianInstaller.content }).status).toBe(0);
  const run = spawnSync('bash', ['-s', 'v1.34.0'], {
    input: debianInstaller.content.replace('command -v apt-get', 'false'),
    encoding: 'utf8',
  });
  expect(run.status).toBe(1);
  expect(run.stderr).toContain('kubeadm can be installed on Ubuntu and Debian only');
});

it('the Debian installer requests the packages of the exact version from the signed repository of its minor version', () => {
  const before = debianInstaller.content.split('if ! command')[0];
  const run = spawnSync('bash', ['-s', 'v1.34.2'], {
    input: `${before}\necho "$version $minor $repository"`,
    encoding: 'utf8',
  });
  expect(run.stdout).toBe('1.34.2 v1.34 https://pkgs.k8s.io/core:/stable:/v1.34/deb/\n');
  expect(debianInstaller.content).toContain('"kubeadm=$version-*"');
  expect(debianInstaller.content).toContain('[signed-by=$keyring]');
  expect(debianInstaller.path).toBe(INSTALL_SCRIPT_PATH);
});

/**
 * apt on a machine without package lists, where every other update fails. As with the real apt, an update that fetches
 * nothing prints a warning and exits with 0.
 */
const APT = `echo "$*" >>"$ROOT/calls"
case "$*" in
  *update*)
    updates="$(($(cat "$ROOT/updates" 2>/dev/null || echo 0) + 1))"
    echo "$updates" >"$ROOT/updates"
    if [ $((updates % 2)) = 1 ]; then
      echo "W: Some index files failed to download. They have been ignored, or old ones used instead." >&2
      rm -f "$ROOT/lists"
    else
      touch "$ROOT/lists"
    fi
    ;;
  *install*)
    [ -e "$ROOT/lists" ] || { echo "E: Unable to locate package" >&2; exit 100; }
    ;;
esac`;

it('the Debian installer updates the package lists again if packages are missing, because an update that fetches nothing succeeds', () => {
  const root = mkdtempSync(join(tmpdir(), 'windlass-debian-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ['bin', 'etc/modules-load.d', 'etc/sysctl.d', 'etc/apt/sources.list.d'])
    mkdirSync(join(root, folder), { recursive: true });
  const standIn = (name: string, script: string): void =>
    writeFileSync(join(root, 'bin', name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  for (const name of ['systemctl', 'modprobe', 'sysctl', 'swapoff', 'sleep', 'containerd', 'apt-mark', 'curl'])
    standIn(name, '');
  standIn('gpg', 'while [ "$1" != -o ]; do shift; done; cat >"$2"');
  standIn('apt-get', APT);
  const run = spawnSync('bash', ['-s', 'v1.34.2'], {
    input: debianInstaller.content.replaceAll(/(^|[\s=">])\/etc\//gm, `$1${root}/etc/`).replace('+ 900', '+ 30'),
    env: { PATH: `${root}/bin:${process.env.PATH}`, ROOT: root },
    encoding: 'utf8',
  });
  expect(run.stderr).not.toContain('gave up');
  expect(run.status).toBe(0);
  const calls = readFileSync(join(root, 'calls'), 'utf8').trim().split('\n');
  expect(calls.map((call) => /update|containerd|kubelet/.exec(call)?.[0])).toEqual(
    ['containerd', 'kubelet'].flatMap((name) => ['update', name, 'update', name]),
  );
});
