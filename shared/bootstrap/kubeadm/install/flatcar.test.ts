import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flatcarInstaller } from './flatcar.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'windlass-flatcar-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const at = (path: string): string => join(root, path);
const put = (path: string, content: string | Buffer): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
};

/** Replaces a program that the test cannot run. Each replacement logs its arguments. */
const standIn = (name: string, script: string): void => {
  put(`bin/${name}`, `#!/bin/bash\necho "${name} $*" >>${at('calls')}\n${script}\n`);
  chmodSync(at(`bin/${name}`), 0o755);
};

/** `curl` for a site that is a local folder. Supports `-o FILE URL` and a plain URL. */
const SITE = `for url; do :; done
file="${'$'}{url##*/}"
case "$*" in
  *" -o "*) while [ "$1" != -o ]; do shift; done; cp "$SITE/$file" "$2" ;;
  *) cat "$SITE/$file" ;;
esac`;

const CNI = 'cni-plugins-linux-arm64-v1.7.1.tgz';
const checksum = (file: string): string => spawnSync('sha256sum', [at(file)], { encoding: 'utf8' }).stdout.slice(0, 64);

const publish = (): void => {
  for (const program of ['kubeadm', 'kubelet', 'kubectl']) {
    put(`site/${program}`, `the ${program}`);
    put(`site/${program}.sha256`, checksum(`site/${program}`));
  }
  put('plugins/loopback', 'the loopback');
  spawnSync('tar', ['-czf', at(`site/${CNI}`), '-C', at('plugins'), 'loopback']);
  put(`site/${CNI}.sha256`, `${checksum(`site/${CNI}`)}  ${CNI}\n`);
};

/** Creates a Flatcar machine under the root. */
const machine = (id = 'flatcar'): void => {
  put('etc/os-release', `ID=${id}\n`);
  for (const path of ['etc/systemd/system/x', 'etc/modules-load.d/x', 'etc/sysctl.d/x']) put(path, '');
  for (const name of ['systemctl', 'modprobe', 'sysctl', 'swapoff']) standIn(name, '');
  standIn('uname', 'echo aarch64');
  standIn('curl', SITE);
  publish();
};

const run = (script = flatcarInstaller.content) =>
  spawnSync('bash', ['-s', 'v1.34.2'], {
    input: script.replaceAll(/(^|[\s=">])\/(var|etc|opt)\//gm, `$1${root}/$2/`).replace('+ 900', '+ 0'),
    env: { PATH: `${at('bin')}:${process.env.PATH}`, SITE: at('site') },
    encoding: 'utf8',
  });

const calls = (): string => readFileSync(at('calls'), 'utf8');

describe('the script that installs Kubernetes on Flatcar', () => {
  it('builds a system extension from the downloads for its architecture, and starts the kubelet', () => {
    machine();
    expect(run()).toMatchObject({ status: 0, stderr: '' });

    const usr = 'var/lib/extensions/kubernetes/usr';
    expect(readFileSync(at(`${usr}/bin/kubeadm`), 'utf8')).toBe('the kubeadm');
    expect(readFileSync(at(`${usr}/lib/extension-release.d/extension-release.kubernetes`), 'utf8')).toBe(
      'ID=flatcar\nSYSEXT_LEVEL=1.0\n',
    );
    const plugins = readlinkSync(at(`${usr}/libexec/kubernetes/kubelet-plugins/volume/exec`));
    expect(existsSync(plugins)).toBe(true);
    expect(readFileSync(at('opt/cni/bin/loopback'), 'utf8')).toBe('the loopback');
    expect(calls()).toContain('https://dl.k8s.io/release/v1.34.2/bin/linux/arm64/kubelet');
    expect(calls()).toMatch(
      /systemctl restart systemd-sysext.service\n[\s\S]*systemctl enable --now containerd.service kubelet.service\n$/,
    );
    expect(readFileSync(at('etc/systemd/system/kubelet.service'), 'utf8')).toContain('ExecStart=/usr/bin/kubelet ');
  });

  it('downloads nothing when it runs again', () => {
    machine();
    run();
    writeFileSync(at('calls'), '');
    expect(run().status).toBe(0);
    expect(calls()).not.toContain('curl');
  });

  it('refuses a download with a wrong checksum, and leaves no part of it behind', () => {
    machine();
    put('site/kubelet', 'someone else’s');
    const { status, stderr } = run();
    expect(status).toBe(1);
    expect(stderr).toMatch(/the checksum of https:\/\/dl.k8s.io\/.*\/kubelet is [\da-f]{64}, not [\da-f]{64}/);
    expect(stderr).toContain('gave up: fetch https://dl.k8s.io/release/v1.34.2/bin/linux/arm64/kubelet');
    expect(existsSync(at('var/lib/extensions/kubernetes'))).toBe(false);
    expect(calls()).not.toContain('kubelet.service');
  });

  it('refuses any system other than Flatcar', () => {
    machine('fedora');
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('on Flatcar only') });
  });
});
