import type { AWSMachine } from '../../../../kinds/index.ts';
import { type ClusterName, fromTagList, type Tags, usersTags } from '../../tags.ts';
import { readRecordedLaunch } from '../launch/recorded.ts';
import { instanceTags } from '../launch/request.ts';
import type { Difference, ListedInstance, PlacedMachine } from './difference.ts';

/**
 * Upstream's annotation: the additional tags that were last applied to an instance, unless they are still those of its
 * launch.
 */
const LAST_APPLIED = 'sigs.k8s.io/cluster-api-provider-aws-last-applied-tags';

/** The AWSMachine with the applied tags recorded. */
export const withAppliedTags = (machine: AWSMachine, applied: Tags): AWSMachine => ({
  ...machine,
  metadata: {
    ...machine.metadata,
    annotations: { ...machine.metadata.annotations, [LAST_APPLIED]: JSON.stringify(applied) },
  },
});

const clusterOf = ({ cluster }: PlacedMachine): ClusterName => ({
  namespace: cluster.metadata.namespace ?? '',
  name: cluster.metadata.name,
});

/** Tags of an instance that do not come from a user. */
const ownTags = (known: PlacedMachine): Tags => {
  const { machine, infrastructure, awsCluster } = known;
  return instanceTags({
    cluster: clusterOf(known),
    machine,
    infrastructure: { ...infrastructure, spec: { ...infrastructure.spec, additionalTags: {} } },
    awsCluster: { ...awsCluster, spec: { ...awsCluster.spec, additionalTags: {} } },
  });
};

const isTags = (value: unknown): value is Tags =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');

const parse = (text: string): Tags => {
  try {
    const value: unknown = JSON.parse(text);
    return isTags(value) ? value : {};
  } catch {
    // It was edited, so the applied tags are unknown, and nothing is removed.
    return {};
  }
};

/** The tags that were last applied to an instance; undefined if neither upstream nor Windlass has recorded them. */
export const lastApplied = ({ infrastructure }: PlacedMachine): Tags | undefined => {
  const text = infrastructure.metadata.annotations?.[LAST_APPLIED];
  if (text !== undefined) return parse(text);
  const { TagSpecifications } = readRecordedLaunch(infrastructure)?.request ?? {};
  return (
    TagSpecifications && fromTagList(TagSpecifications.find(({ ResourceType }) => ResourceType === 'instance')?.Tags)
  );
};

/**
 * Additional tags that were removed from the AWSMachine or the AWSCluster after they were applied, and those that its
 * volumes lack: EC2's list of instances shows neither. This is not a change by others, so no policy prevents it.
 */
export const appliedTagsDrift = (known: PlacedMachine, { volumes = [] }: ListedInstance): Difference[] => {
  const { infrastructure, awsCluster } = known;
  const asked = { ...awsCluster.spec.additionalTags, ...infrastructure.spec.additionalTags };
  const wanted = usersTags(clusterOf(known), asked);
  const applied = lastApplied(known) ?? wanted;
  const own = ownTags(known);
  const gone = Object.keys(applied).filter((key) => !(key in asked) && !(key in own));
  const fresh = Object.entries(wanted).filter(
    ([key, value]) => applied[key] !== value && (key === 'Name' || !(key in own)),
  );
  if (gone.length + fresh.length === 0) return [];
  const message = `its additional tags have changed: ${[...fresh.map(([key]) => key), ...gone].join(', ')}`;
  const set = Object.fromEntries(fresh);
  const repair = { call: 'ApplyTags', set, gone, volumeIds: volumes, applied: wanted } as const;
  return [{ kind: 'InstanceTags', policy: 'Repair', message, repair }];
};
