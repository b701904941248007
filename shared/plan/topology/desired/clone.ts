import { copyJson, isObject, type JsonObject } from '../../../kube-api/json.ts';
import type { OwnerReference } from '../../../kube-api/object.ts';
import { ANNOTATION, LABEL } from '../../labels.ts';
import { type AnyObject, TOPOLOGY_LABEL } from '../objects.ts';

/** The fields of a copy that do not come from the template. */
export interface Clone {
  template: AnyObject;
  name: string;
  namespace: string;
  clusterName: string;
  labels?: Readonly<Record<string, string>>;
  annotations?: Readonly<Record<string, string>>;
  owner?: OwnerReference;
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

const textsOf = (value: unknown): Record<string, string> => (isObject(value) ? (value as Record<string, string>) : {});

const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '');

/** `AWSClusterTemplate.infrastructure.cluster.x-k8s.io`, in Go's format of a group and a kind. */
const groupKindOf = ({ apiVersion, kind }: AnyObject): string => {
  const group = groupOf(apiVersion);
  return group === '' ? kind : `${kind}.${group}`;
};

const metadataOf = (clone: Clone, given: JsonObject): AnyObject['metadata'] => {
  const { template, name, namespace, clusterName, labels, annotations, owner } = clone;
  const { [LAST_APPLIED]: _, ...kept } = textsOf(given.annotations);
  return {
    name,
    namespace,
    labels: { ...textsOf(given.labels), ...labels, [LABEL.clusterName]: clusterName, [TOPOLOGY_LABEL.owned]: '' },
    annotations: {
      ...kept,
      ...annotations,
      [ANNOTATION.clonedFromName]: template.metadata.name,
      [ANNOTATION.clonedFromGroupKind]: groupKindOf(template),
    },
    ...(owner ? { ownerReferences: [owner] } : {}),
  };
};

/** An object with the spec of a template, `AWSCluster` from `AWSClusterTemplate` (templateToObject). */
export const objectFrom = (clone: Clone): AnyObject => {
  const { template } = clone;
  const inner = isObject(template.spec?.template) ? template.spec.template : {};
  return {
    apiVersion: template.apiVersion,
    kind: template.kind.replace(/Template$/, ''),
    metadata: metadataOf(clone, isObject(inner.metadata) ? inner.metadata : {}),
    ...(isObject(inner.spec) ? { spec: copyJson(inner.spec) as JsonObject } : {}),
  };
};

/** A copy of a template for one cluster (templateToTemplate). */
export const templateFrom = (clone: Clone): AnyObject => {
  const { apiVersion, kind, metadata, spec } = clone.template;
  return {
    apiVersion,
    kind,
    metadata: metadataOf(clone, { labels: metadata.labels, annotations: metadata.annotations }),
    ...(spec === undefined ? {} : { spec: copyJson(spec) as JsonObject }),
  };
};

/** A reference without version, as in Cluster API's contract. */
export const refTo = ({ apiVersion, kind, metadata }: AnyObject) => ({
  apiGroup: groupOf(apiVersion),
  kind,
  name: metadata.name,
});
