import type { AWSMachine } from '../../../../kinds/index.ts';
import { fromTagList, type Tags } from '../../tags.ts';
import { readRecordedLaunch } from '../launch/recorded.ts';
import { instanceTags } from '../launch/request.ts';
import type { Difference, ListedInstance, PlacedMachine } from './difference.ts';

/** Upstream's annotation: the additional tags that an instance was given last, where they are not those of its launch. */
const LAST_APPLIED = 'sigs.k8s.io/cluster-api-provider-aws-last-applied-tags';

/** The AWSMachine with what was applied on record. */
export const withAppliedTags = (machine: AWSMachine, applied: Tags): AWSMachine => ({
  ...machine,
  metadata: {
    ...machine.metadata,
    annotations: { ...machine.metadata.annotations, [LAST_APPLIED]: JSON.stringify(applied) },
  },
});

/** What an instance has without a word of the user's. */
const ownTags = ({ cluster, machine, infrastructure, awsCluster }: PlacedMachine): Tags =>
  instanceTags({
    cluster: { namespace: cluster.metadata.namespace ?? '', name: cluster.metadata.name },
    machine,
    infrastructure: { ...infrastructure, spec: { ...infrastructure.spec, additionalTags: {} } },
    awsCluster: { ...awsCluster, spec: { ...awsCluster.spec, additionalTags: {} } },
  });

const isTags = (value: unknown): value is Tags =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');

const parse = (text: string): Tags => {
  try {
    const value: unknown = JSON.parse(text);
    return isTags(value) ? value : {};
  } catch {
    // Someone has edited it: then nothing is known to have been applied, and nothing is taken away.
    return {};
  }
};

/** The tags that an instance was given last; undefined where neither upstream nor we have written it down. */
export const lastApplied = ({ infrastructure }: PlacedMachine): Tags | undefined => {
  const text = infrastructure.metadata.annotations?.[LAST_APPLIED];
  if (text !== undefined) return parse(text);
  const { TagSpecifications } = readRecordedLaunch(infrastructure)?.request ?? {};
  return (
    TagSpecifications && fromTagList(TagSpecifications.find(({ ResourceType }) => ResourceType === 'instance')?.Tags)
  );
};

/**
 * Additional tags that were taken out of the AWSMachine or the AWSCluster since they were applied, and those that its
 * volumes have not got: nothing of that shows in what EC2 lists of an instance. Nobody has changed anything behind the
 * machine's back, so that no policy keeps it from being done.
 */
export const appliedTagsDrift = (known: PlacedMachine, { volumes = [] }: ListedInstance): Difference[] => {
  const { infrastructure, awsCluster } = known;
  const wanted: Tags = { ...awsCluster.spec.additionalTags, ...infrastructure.spec.additionalTags };
  const applied = lastApplied(known) ?? wanted;
  const own = ownTags(known);
  const gone = Object.keys(applied).filter((key) => !(key in wanted) && !(key in own));
  const fresh = Object.entries(wanted).filter(
    ([key, value]) => applied[key] !== value && (key === 'Name' || !(key in own)),
  );
  if (gone.length + fresh.length === 0) return [];
  const message = `its additional tags have changed: ${[...fresh.map(([key]) => key), ...gone].join(', ')}`;
  const set = Object.fromEntries(fresh);
  const repair = { call: 'ApplyTags', set, gone, volumeIds: volumes, applied: wanted } as const;
  return [{ kind: 'InstanceTags', policy: 'Repair', message, repair }];
};
