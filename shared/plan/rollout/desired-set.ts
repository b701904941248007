import type { MachineDeployment, MachineSet } from '../../kinds/index.ts';
import { selects } from '../../kinds/rules/kubernetes/label-selector.ts';
import { CONVERSION_DATA, withConversionData } from '../../kube-api/versions/conversion-data.ts';
import { ANNOTATION, FINALIZER, GROUP, LABEL } from '../labels.ts';
import { controllerReference } from '../machines/desired.ts';
import { type Metadata, withPropagated } from '../machines/propagation.ts';
import { childName, hashOf, suffixOf } from '../names.ts';
import { boundsOf } from './bounds.ts';
import { rolloutFields, setSeed } from './current-set.ts';

/** Annotations that only concern the deployment itself. */
const NOT_COPIED = new Set<string>([
  'kubectl.kubernetes.io/last-applied-configuration',
  // The fields of the deployment that v1beta2 cannot represent: a set would show fields that it does not have.
  CONVERSION_DATA,
  ANNOTATION.revision,
  'machinedeployment.clusters.x-k8s.io/revision-history',
  ANNOTATION.desiredReplicas,
  ANNOTATION.maxReplicas,
]);

/** A set's role in its deployment's rollout. */
export interface SetRole {
  revision: number;
  /** Whether a newer template has replaced the set's own. */
  old: boolean;
}

/** The number of a set's revision; 0 for one without. */
export const revisionOf = ({ metadata }: Pick<MachineSet, 'metadata'>): number =>
  Number.parseInt(metadata.annotations?.[ANNOTATION.revision] ?? '', 10) || 0;

/** The revision of the current set: above all others, and never lower than before. */
export const currentRevision = (current: MachineSet | undefined, old: readonly MachineSet[]): number =>
  Math.max(current ? revisionOf(current) : 0, Math.max(0, ...old.map(revisionOf)) + 1);

const hashLabel = (hash: string | undefined): Record<string, string> =>
  hash === undefined ? {} : { [LABEL.templateHash]: hash };

const metadataOf = (deployment: MachineDeployment, hash: string | undefined, { revision, old }: SetRole): Metadata => {
  const { metadata, spec } = deployment;
  const { replicas, maxSurge } = boundsOf(deployment);
  const copied = Object.entries(metadata.annotations ?? {}).filter(([key]) => !NOT_COPIED.has(key));
  const makesNone = old && spec.rollout?.strategy?.type === 'OnDelete';
  return {
    labels: {
      ...spec.template.metadata?.labels,
      ...hashLabel(hash),
      [LABEL.clusterName]: spec.clusterName,
      [LABEL.deploymentName]: metadata.name,
    },
    annotations: {
      ...Object.fromEntries(copied),
      [ANNOTATION.desiredReplicas]: String(replicas),
      [ANNOTATION.maxReplicas]: String(replicas + maxSurge),
      [ANNOTATION.revision]: String(revision),
      [ANNOTATION.disableMachineCreate]: String(makesNone),
    },
  };
};

const withoutUndefined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

type Made = Pick<MachineSet['spec'], 'selector' | 'template'>;

/** The labels by which a set finds its machines, and those that it sets on them. */
interface Labelling {
  selector: Made['selector'];
  labels: Record<string, string> | undefined;
}

const labelsOf = ({ metadata, spec }: MachineDeployment): Record<string, string> => ({
  [LABEL.deploymentName]: metadata.name,
  // The user's labels come last, because the selector was written for them.
  ...spec.template.metadata?.labels,
});

const withHash = (deployment: MachineDeployment, hash: string): Labelling => {
  const { selector } = deployment.spec;
  return {
    selector: { ...selector, matchLabels: { ...selector?.matchLabels, ...hashLabel(hash) } },
    labels: { ...labelsOf(deployment), ...hashLabel(hash) },
  };
};

/** For a set that the deployment has adopted: its machines have no hash, and another selector would lose them. */
const withoutHash = (deployment: MachineDeployment, { selector, template }: Made): Labelling => {
  const labels = { ...labelsOf(deployment), ...selector.matchLabels };
  return { selector, labels: selects(selector, labels) ? labels : template.metadata?.labels };
};

/** A set's fields that come from its deployment regardless of its template. `template`: the one it was created from. */
const specOf = (
  { spec }: MachineDeployment,
  { selector, labels }: Labelling,
  template: MachineSet['spec']['template'],
) => {
  const { minReadySeconds, readinessGates, deletion, taints } = spec.template.spec;
  const { version, bootstrap, infrastructureRef, failureDomain } = template.spec;
  return {
    clusterName: spec.clusterName,
    selector,
    ...withoutUndefined({
      deletion: spec.deletion?.order ? { order: spec.deletion.order } : undefined,
      machineNaming: spec.machineNaming,
    }),
    template: {
      metadata: { ...spec.template.metadata, ...(labels ? { labels } : {}) },
      spec: {
        clusterName: spec.clusterName,
        bootstrap,
        infrastructureRef,
        ...withoutUndefined({ version, failureDomain, minReadySeconds, readinessGates, deletion, taints }),
      },
    },
  };
};

/**
 * A new set, without machines yet, for a deployment's current template; its name is always the same. Its label has
 * upstream's form, `<hash of the template>-<suffix of the name>`. `attempt`: the number of earlier names that belong to
 * sets of others.
 */
export const newSet = (deployment: MachineDeployment, revision: number, now: Date, attempt = 0): MachineSet => {
  const { metadata, spec } = deployment;
  const first = setSeed(deployment, now);
  const seed = attempt === 0 ? first : `${first}/${attempt}`;
  const hash = `${hashOf(rolloutFields({ spec }))}-${suffixOf(seed)}`;
  return {
    apiVersion: `${GROUP.core}/v1beta2`,
    kind: 'MachineSet',
    metadata: {
      namespace: metadata.namespace,
      name: childName(metadata.name, seed),
      ...metadataOf(deployment, hash, { revision, old: false }),
      finalizers: [FINALIZER.machineSet],
      ownerReferences: [controllerReference(deployment)],
    },
    spec: { ...structuredClone(specOf(deployment, withHash(deployment, hash), spec.template)), replicas: 0 },
  } as MachineSet;
};

/**
 * The set without the conversion data that earlier versions of Windlass have copied from its deployment. No field
 * manager owns this annotation, so only its value shows where it came from; the set's own data are kept.
 */
const withoutCopiedData = (set: MachineSet, deployment: MachineDeployment): MachineSet => {
  const data = deployment.metadata.annotations?.[CONVERSION_DATA];
  const isCopied = data !== undefined && set.metadata.annotations?.[CONVERSION_DATA] === data;
  return isCopied ? { ...set, metadata: withConversionData(set.metadata, undefined) } : set;
};

/**
 * The hash in the labels of a set's machines; undefined for a set that its deployment did not create. The selector and
 * the template contain it. The set's own label only decides if they differ, because users can remove it.
 */
const hashIn = ({ metadata, spec }: MachineSet): string | undefined => {
  const { selector, template } = spec;
  const said = [selector.matchLabels, template.metadata?.labels].flatMap(
    (labels) => labels?.[LABEL.templateHash] || [],
  );
  return said.find((hash) => hash === metadata.labels?.[LABEL.templateHash]) ?? said[0];
};

/**
 * The desired state of a deployment's existing set, except for its number of machines. Fields that need no rollout are
 * copied from the deployment's template in place: metadata, timeouts, readiness gates, taints, and the order of
 * deletion.
 */
export const updatedSet = (deployment: MachineDeployment, set: MachineSet, role: SetRole): MachineSet => {
  const hash = hashIn(set);
  const labelling = hash === undefined ? withoutHash(deployment, set.spec) : withHash(deployment, hash);
  const next = withPropagated(withoutCopiedData(set, deployment), metadataOf(deployment, hash, role));
  return {
    ...next,
    spec: { ...specOf(deployment, labelling, set.spec.template), replicas: set.spec.replicas },
  } as MachineSet;
};
