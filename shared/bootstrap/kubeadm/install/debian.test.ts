import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { debianInstaller } from './debian.ts';
import { INSTALL_SCRIPT_PATH } from './script.ts';

it('is a script that bash understands, and that refuses an image without apt', () => {
  expect(spawnSync('bash', ['-n'], { input: debianInstaller.content }).status).toBe(0);
  const run = spawnSync('bash', ['-s', 'v1.34.0'], {
    input: debianInstaller.content.replace('command -v apt-get', 'false'),
    encoding: 'utf8',
  });
  expect(run.status).toBe(1);
  expect(run.stderr).toContain('kubeadm can be installed on Ubuntu and Debian only');
});

it('requests the packages of exactly the version, from the repository of its minor version, with its signature', () => {
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
