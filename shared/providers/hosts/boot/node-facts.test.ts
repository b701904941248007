import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { toYaml } from '../../../bootstrap/kubeadm/document.ts';
import { NODE_FACTS } from './node-facts.ts';

const folderOf = (config: string): string =>
  execFileSync('/bin/sh', ['-c', `set -u\n${NODE_FACTS}data_folder`], { encoding: 'utf8', input: config });

it.each(['/data/rke2', '/data/with space', '/a: b', '/a #b', "/it's", '/data/ä', '/$HOME/*'])(
  'a host reads the data folder %s from the configuration that its node was given',
  (folder) => {
    const config = toYaml({ 'cluster-domain': 'data-dir: /x', 'data-dir': folder, 'node-label': ['data-dir: /y'] });
    expect(folderOf(config)).toBe(`${folder}\n`);
  },
);

it.each(['', 'token: x\n', 'kubelet-arg:\n  - data-dir: /x\n'])(
  'a host uses the default folder with the configuration %j',
  (config) => {
    expect(folderOf(config)).toBe('/var/lib/rancher/rke2\n');
  },
);

it('a host reads a configuration without a line break at its end', () => {
  expect(folderOf('data-dir: "/data"')).toBe('/data\n');
});
