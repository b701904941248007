/** The same class and cluster for both sides, which differ in their infrastructure alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Api } from '../../../infra/cli/api/client.ts';
import { collectionPath, makeFindResource } from '../../../infra/cli/api/resources.ts';
import type { ClusterClassSpec } from '../../../shared/kinds/cluster-class/schema.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';

/** `Dev` upstream, whose infrastructure is in memory; `AWS` here. */
export type Provider = 'AWS' | 'Dev';

export const NAMESPACE = 'default';

/** Where the machine templates have something to choose, and what there is to choose. */
const SIZES: Readonly<Record<Provider, { path: string; small: string; large: string }>> = {
  AWS: { path: '/spec/template/spec/instanceType', small: 't3.large', large: 'm5.large' },
  Dev: {
    path: '/spec/template/spec/backend/inMemory/vm/provisioning/startupDuration',
    small: '100ms',
    large: '200ms',
  },
};

const textFor = (provider: Provider): string => {
  const { path, small, large } = SIZES[provider];
  const files = [`${provider.toLowerCase()}.yaml`, 'class.yaml'];
  return files
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('\n---\n')
    .replaceAll(/\bAWS(?=Cluster|Machine)/g, provider)
    .replace('SIZE_PATH', path)
    .replace('SIZE_SMALL', small)
    .replace('SIZE_LARGE', large);
};

/** The class once more under another name, without the patch for sizes and with other labels. */
const otherClass = (given: KubeObject): KubeObject => {
  const other = structuredClone(given) as KubeObject & { spec: ClusterClassSpec };
  const { patches = [], controlPlane } = other.spec;
  return {
    ...other,
    metadata: { ...other.metadata, name: 'other' },
    spec: {
      ...other.spec,
      controlPlane: { ...controlPlane, metadata: { labels: { 'of-class': 'other' } } },
      patches: patches.filter(({ name }) => name !== 'size'),
    },
  } as KubeObject;
};

export const manifestsFor = (provider: Provider): KubeObject[] =>
  parseAllDocuments(textFor(provider))
    .map((document) => document.toJS() as KubeObject)
    .flatMap((object) => (object.kind === 'ClusterClass' ? [object, otherClass(object)] : [object]));

/** Creates the objects in their order. Rejects with ApiError where one is refused. */
export const createAll = async (api: Api, objects: readonly KubeObject[]): Promise<void> => {
  const findResource = makeFindResource(api);
  for (const object of objects) {
    const resource = await findResource(object);
    if (!resource) throw new Error(`${object.kind} is not served`);
    const metadata = { ...object.metadata, namespace: NAMESPACE };
    await api.send('POST', collectionPath(resource, NAMESPACE), { ...object, metadata });
  }
};
