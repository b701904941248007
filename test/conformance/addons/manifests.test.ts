import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readManifests as readFile } from '../../../infra/cli/apply/manifest.ts';
import type { ConfigMap } from '../../../shared/kinds/index.ts';
import { readManifests } from '../../../shared/plan/addons/manifests.ts';

/**
 * Compares with Cluster API's own functions, which read the same text. Needs the program that `npm run conformance`
 * builds.
 */
const program = process.env.WINDLASS_MANIFESTS;

const tricky = readFileSync(join(import.meta.dirname, 'tricky.yaml'), 'utf8');
const examples = readFile('examples/add-ons.yaml').flatMap(({ object }) =>
  Object.entries((object as ConfigMap).data ?? {}),
);

/** In reverse order: every kind with its own position in the order of creation, and some kinds without one. */
const kinds = [
  ...['Widget', 'Endpoint', 'ReplicaSet', 'Pod', 'LimitRange', 'ServiceAccount', 'DaemonSet', 'ConfigMap', 'Secret'],
  ...['PersistentVolumeClaim', 'PersistentVolume', 'StorageClass', 'CustomResourceDefinition', 'Namespace', 'Role'],
];
const ofAllKinds = kinds
  .map((kind, index) => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: x${index}}\n`)
  .join('---\n');

describe.skipIf(!program)('manifests', () => {
  it.each([['tricky.yaml', tricky], ['objects of all kinds', ofAllKinds], ...examples])(
    'apply the same objects in the same order as Cluster API: %s',
    (name, text) => {
      const theirs = JSON.parse(execFileSync(String(program), { input: text }).toString()) as unknown[];
      expect(JSON.parse(JSON.stringify(readManifests(new Map([[name, text]]))))).toEqual(theirs);
    },
  );
});
