import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../paths.ts';

const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');

/** The version in a file, matched by the first group of an expression. */
const versionIn = (path: string, expression: RegExp): string => expression.exec(read(path))?.[1] ?? `none in ${path}`;

const PINNED = /const VERSION = '([\d.]+)'/;
const GO_MOD = 'test/conformance/client-go/program/go.mod';
const ECOSYSTEM = 'test/conformance/ecosystem/program/go.mod';
const TOOLS = 'infra/cli/conformance';

describe('the list of clients in docs/compatibility.md', () => {
  const lines = read('docs', 'compatibility.md').split('\n');

  it.each([
    ['kubectl', `1.${versionIn(`${TOOLS}/kubectl.ts`, /const VERSION = '0\.([\d.]+)'/)}`],
    ['AWS CLI', versionIn(`${TOOLS}/aws.ts`, PINNED)],
    ['clusterctl', versionIn(`${TOOLS}/clusterctl.ts`, PINNED)],
    ['client-go', versionIn(GO_MOD, /k8s\.io\/client-go v(\S+)/)],
    ['controller-runtime', versionIn(GO_MOD, /controller-runtime v(\S+)/)],
    ['Python client (`kubernetes`)', versionIn(`${TOOLS}/python-client.ts`, PINNED)],
    ['`@kubernetes/client-node`', versionIn('package.json', /"@kubernetes\/client-node": "([\d.]+)"/)],
    ['Helm', versionIn(ECOSYSTEM, /helm\.sh\/helm\/v4 v(\S+)/)],
    [
      "Argo CD's gitops-engine",
      versionIn(ECOSYSTEM, /gitops-engine v0\.0\.0-(\d{8})/).replace(/(....)(..)(..)/, '$1-$2-$3'),
    ],
    ["Flux's `ssa` library", versionIn(ECOSYSTEM, /fluxcd\/pkg\/ssa v(\S+)/)],
    ['kopf', versionIn(`${TOOLS}/operators.ts`, /kopf: '([\d.]+)'/)],
    ['kr8s', versionIn(`${TOOLS}/operators.ts`, /kr8s: '([\d.]+)'/)],
    ['kube-apiserver', versionIn(`${TOOLS}/envtest.ts`, PINNED)],
  ])('has %s in the version that the suites use', (client, version) => {
    const [, , column] = lines.find((line) => line.startsWith(`| ${client} | `))?.split('|') ?? [];
    expect(column?.trim().split(' ').at(-1)).toBe(version);
  });
});
