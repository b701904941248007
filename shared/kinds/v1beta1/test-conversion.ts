import { parse } from 'yaml';
import type { KubeObject } from '../../kube-api/object.ts';
import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { fromStorage, toStorage } from '../../kube-api/versions/convert.ts';
import { servedResources } from '../../kube-api/versions/served.ts';

/** The parts of an object that the golden tests show. */
interface Body {
  spec?: unknown;
  status?: unknown;
  metadata: KubeObject['metadata'];
}

/** Both conversions of a kind for objects that are written in YAML, without the lines with which all of them begin. */
export const conversionsOf = <T extends KubeObject>(definition: ResourceDefinition<T>) => {
  const view = servedResources([definition as unknown as ResourceDefinition])[1]?.view;
  if (!view) throw new Error(`${definition.kind} has one version only`);
  const object = (version: string, yaml: string): KubeObject => ({
    apiVersion: `${definition.group}/${version}`,
    kind: definition.kind,
    metadata: { name: 'any', namespace: 'default' },
    ...parse(yaml),
  });
  return {
    toStored: (yaml: string): Body => toStorage(view, object('v1beta1', yaml)) as KubeObject & Body,
    toOld: (yaml: string): Body => fromStorage(view, object('v1beta2', yaml)) as KubeObject & Body,
    /** The object after the server's admission, which completes it. */
    completed: (yaml: string): Body => view.version.default?.(object('v1beta1', yaml)) as KubeObject & Body,
  };
};

export const yaml = (text: string): unknown => parse(text);
