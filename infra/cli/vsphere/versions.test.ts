import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../paths.ts';
import { CLUSTER_API, PROVIDER } from './definitions.ts';
import { provideVsphere } from './programs.ts';
import { VSPHERE } from './vsphere.ts';

const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');

it('reads the definitions from the versions that are built', () => {
  const built = read('infra', 'local', 'vsphere', 'provider', 'go.mod');
  expect(built).toMatch(new RegExp(`^\\t${PROVIDER.replace('@', ' ')}( // indirect)?$`, 'm'));
  expect(built).toContain(`sigs.k8s.io/cluster-api => ${CLUSTER_API.replace('@', ' ')}`);
});

it('says what to install if Go is missing', () => {
  const missing = () => ({ status: null, stdout: '', stderr: '' });
  expect(() => provideVsphere(() => {}, missing)).toThrow('needs Go, which builds it: see https://go.dev/dl/');
});

it('has an example with the simulated values', () => {
  const example = read('examples', 'vsphere.yaml');
  for (const value of Object.values(VSPHERE)) expect(example).toContain(`: ${value}\n`);
});
