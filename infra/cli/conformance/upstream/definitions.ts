/** Installs upstream's own CustomResourceDefinitions in a real kube-apiserver. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../../shared/clock.ts';
import { PATIENCE_SECONDS } from '../../../../shared/test-patience.ts';
import type { Api } from '../../api/client.ts';
import type { KubeApiserver } from '../kube-apiserver.ts';

export interface Definition {
  metadata: { name: string; labels?: Record<string, string> };
  spec: {
    group: string;
    names: { plural: string };
    conversion?: unknown;
    versions: { name: string; storage: boolean; served?: boolean }[];
  };
}

const storedVersion = ({ spec }: Definition): string => spec.versions.find(({ storage }) => storage)?.name ?? '';

/** A webhook that converts between the versions of definitions. */
export interface Conversion {
  url: string;
  ca: string;
}

/** As installed by `clusterctl init`, but without conversion, because only the stored version is used here. */
const prepared = (definition: Definition): Definition => {
  const { conversion: _conversion, ...spec } = definition.spec;
  const labels = { 'clusterctl.cluster.x-k8s.io': '', 'cluster.x-k8s.io/v1beta2': storedVersion(definition) };
  return {
    ...definition,
    metadata: { ...definition.metadata, labels: { ...definition.metadata.labels, ...labels } },
    spec: { ...spec, versions: spec.versions.map((one) => ({ ...one, served: one.storage })) },
  };
};

/** Serves all versions, which have the names of the contracts that they implement. */
const converted = (definition: Definition, { url, ca }: Conversion): Definition => {
  const { metadata, spec } = definition;
  const labels = Object.fromEntries(spec.versions.map(({ name }) => [`cluster.x-k8s.io/${name}`, name]));
  const clientConfig = { url, caBundle: Buffer.from(ca).toString('base64') };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  return { ...definition, metadata: { ...metadata, labels }, spec: { ...spec, conversion } };
};

const PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const LOOK_MILLISECONDS = 200;

const untilServed = async (api: Api, definition: Definition): Promise<void> => {
  const { spec } = definition;
  const version = storedVersion(definition);
  const end = systemClock.now().getTime() + PATIENCE_SECONDS * 1000;
  while (systemClock.now().getTime() < end) {
    try {
      await api.send('GET', `/apis/${spec.group}/${version}/${spec.names.plural}`);
      return;
    } catch {
      // A definition is only served a moment after its creation.
      await systemClock.sleep(LOOK_MILLISECONDS);
    }
  }
  throw new Error(`${spec.names.plural}.${spec.group} is not served`);
};

/**
 * Makes the server serve the definitions, and resolves when it does. With `conversion`, all versions are served;
 * otherwise only the stored ones.
 */
export const installDefinitions = async (
  api: Api,
  definitions: readonly Definition[],
  conversion?: Conversion,
): Promise<void> => {
  const all = definitions.map((one) => (conversion ? converted(one, conversion) : prepared(one)));
  for (const definition of all) await api.send('POST', PATH, definition);
  await Promise.all(all.map((definition) => untilServed(api, definition)));
};

/** A kubeconfig for the administrator of the API server. */
export const kubeconfigOf = ({ url, ca, token }: KubeApiserver): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'windlass-upstream-')), 'kubeconfig');
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'real',
    clusters: [{ name: 'real', cluster }],
    users: [{ name: 'real', user: { token } }],
    contexts: [{ name: 'real', context: { cluster: 'real', user: 'real', namespace: 'default' } }],
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
};
