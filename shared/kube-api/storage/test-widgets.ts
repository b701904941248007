/** The objects of the suites for storages. */
import type { KubeObject, ResourceId } from '../object.ts';

export const WIDGETS: ResourceId = { group: 'suite.windlass.dev', plural: 'widgets' };
export const GADGETS: ResourceId = { group: 'suite.windlass.dev', plural: 'gadgets' };

export const widget = (name: string, namespace = 'a', size = 1): KubeObject & { spec: { size: number } } => ({
  apiVersion: 'suite.windlass.dev/v1',
  kind: 'Widget',
  metadata: { name, namespace, uid: `uid-${namespace}-${name}`, labels: { size: String(size) } },
  spec: { size },
});

export const versionOf = (object: KubeObject): number => Number(object.metadata.resourceVersion);
