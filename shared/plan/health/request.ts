import type { Machine } from '../../kinds/index.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import { LABEL } from '../labels.ts';
import { clonedFrom, ownerReference } from '../machines/desired.ts';

/** The parts of a template that a request is created from. */
type Template = KubeObject & {
  spec?: {
    template?: { metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> }; spec?: object };
  };
};

/**
 * The request for the remediation of a machine: a copy of the template that has the machine's name, and is owned by the
 * machine. Pure.
 */
export const requestOf = (
  machine: Machine,
  template: KubeObject,
  { kind, apiVersion }: { kind: string; apiVersion: string },
): KubeObject & { spec?: object } => {
  const { metadata, spec } = (template as Template).spec?.template ?? {};
  const [group = ''] = apiVersion.split('/');
  return {
    apiVersion,
    kind: kind.replace(/Template$/, ''),
    metadata: {
      namespace: machine.metadata.namespace,
      name: machine.metadata.name,
      labels: { ...metadata?.labels, [LABEL.clusterName]: machine.spec.clusterName },
      annotations: { ...metadata?.annotations, ...clonedFrom(template.metadata.name, `${kind}.${group}`) },
      ownerReferences: [ownerReference(machine)],
    },
    ...(spec ? { spec: structuredClone(spec) } : {}),
  };
};
