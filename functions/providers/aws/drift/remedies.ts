import { RefusedError } from '../../../../shared/errors.ts';
import { type AWSMachine, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { Ec2Repairs } from '../../../../shared/providers/aws/api/ec2-repairs.ts';
import { withTagChange } from '../../../../shared/providers/aws/plan/drift/adopted-tags.ts';
import { withAppliedGroups } from '../../../../shared/providers/aws/plan/drift/applied-groups.ts';
import { withAppliedTags } from '../../../../shared/providers/aws/plan/drift/applied-tags.ts';
import type { InstanceDrift } from '../../../../shared/providers/aws/plan/drift/difference.ts';
import { referenceProblem } from '../../../../shared/providers/aws/plan/ownership/references.ts';
import type { Remedy } from '../../sweep-port.ts';
import type { AwsSweepDependencies } from './dependencies.ts';

type RemedyDependencies = Pick<AwsSweepDependencies, 'objects' | 'repairs' | 'secrets' | 'scopeOf'>;

/** Updates the AWSMachine to the observed value. */
const adoption = (
  { objects }: RemedyDependencies,
  { known: { infrastructure } }: InstanceDrift,
  change: (spec: AWSMachine['spec']) => Partial<AWSMachine['spec']>,
  record: (current: AWSMachine) => AWSMachine = (current) => current,
): Remedy => ({
  adopt: async () => {
    const { namespace = '', name, uid } = infrastructure.metadata;
    await objects.mutate(kinds.awsMachine, { namespace, name }, (current) =>
      current.metadata.uid === uid
        ? record({ ...current, spec: { ...current.spec, ...change(current.spec) } })
        : undefined,
    );
  },
});

type ApplyTags = Extract<NonNullable<InstanceDrift['repair']>, { call: 'ApplyTags' }>;

/** The applied tags are recorded only after all of them were: after a crash in between, they are applied again. */
const applyTags = async (
  { objects }: RemedyDependencies,
  ec2: Ec2Repairs,
  { instanceId, known: { infrastructure } }: InstanceDrift,
  { set, gone, volumeIds, applied }: ApplyTags,
): Promise<void> => {
  if (volumeIds.length > 0 && Object.keys(set).length > 0) await ec2.createTags(volumeIds, set);
  if (gone.length > 0) await ec2.deleteTags([instanceId, ...volumeIds], gone);
  const { namespace = '', name, uid } = infrastructure.metadata;
  await objects.mutate(kinds.awsMachine, { namespace, name }, (current) =>
    current.metadata.uid === uid ? withAppliedTags(current, applied) : undefined,
  );
};

/** A user who can change spec.additionalSecurityGroups can name any group in the account. */
const refuseForeignGroups = async (ec2: Ec2Repairs, { metadata }: Machine, groupIds: readonly string[]) => {
  const references = groupIds.map((id) => ({ field: 'spec.additionalSecurityGroups', id }));
  const problem = referenceProblem(metadata.namespace ?? '', references, await ec2.ownersOf(groupIds));
  if (problem) throw new RefusedError(problem);
};

type SetGroups = Extract<NonNullable<InstanceDrift['repair']>, { call: 'SetGroups' }>;

/** As with tags, the applied value is recorded last. */
const setGroups = async (
  { objects }: RemedyDependencies,
  ec2: Ec2Repairs,
  { known: { machine, infrastructure } }: InstanceDrift,
  { interfaces, applied }: SetGroups,
): Promise<void> => {
  await refuseForeignGroups(ec2, machine, [...new Set(interfaces.flatMap(({ groups }) => groups))]);
  await Promise.all(interfaces.map(({ id, groups }) => ec2.setGroups(id, groups)));
  const { namespace = '', name, uid } = infrastructure.metadata;
  await objects.mutate(kinds.awsMachine, { namespace, name }, (current) =>
    current.metadata.uid === uid ? withAppliedGroups(current, applied) : undefined,
  );
};

type AdoptGroups = Extract<NonNullable<InstanceDrift['repair']>, { call: 'AdoptGroups' }>;

/** Adopted groups count as applied, so that their later removal from the spec removes them from the instance. */
const adoptGroups = (deps: RemedyDependencies, drift: InstanceDrift, { groupIds, applied }: AdoptGroups): Remedy =>
  adoption(
    deps,
    drift,
    ({ additionalSecurityGroups: own = [] }) => ({
      additionalSecurityGroups: [...own, ...groupIds.map((id) => ({ id }))],
    }),
    (current) => withAppliedGroups(current, applied),
  );

/** The remedy for a difference; undefined if it is only reported. */
export const remedyOf = (deps: RemedyDependencies, drift: InstanceDrift): Remedy | undefined => {
  const { known, instanceId, repair: asked, message } = drift;
  const scope = () => deps.scopeOf(known.awsCluster);
  /** A call to EC2; `done` is the text of its event. */
  const ec2Call = (reason: string, done: string, call: (ec2: Ec2Repairs) => Promise<unknown>): Remedy => ({
    reason,
    call: async () => {
      await call(deps.repairs(await scope()));
      return `${done}, because ${message}`;
    },
  });
  switch (asked?.call) {
    case 'StartInstances':
      return ec2Call('StartInstance', `Started instance ${instanceId}`, (ec2) => ec2.start(instanceId));
    case 'CreateTags':
      return ec2Call('TagInstance', `Set tags of instance ${instanceId}`, (ec2) =>
        ec2.createTags([instanceId], asked.tags),
      );
    case 'ApplyTags':
      return ec2Call('TagInstance', `Set tags of instance ${instanceId} and its volumes`, (ec2) =>
        applyTags(deps, ec2, drift, asked),
      );
    case 'SetGroups': {
      const ids = asked.interfaces.map(({ id }) => id).join(', ');
      const done = `Set the security groups of ${ids} of instance ${instanceId}`;
      return ec2Call('SetSecurityGroups', done, (ec2) => setGroups(deps, ec2, drift, asked));
    }
    case 'SetMetadataOptions':
      return ec2Call('SetMetadataOptions', `Set the metadata options of instance ${instanceId}`, (ec2) =>
        ec2.setMetadataOptions(instanceId, asked.options),
      );
    case 'RestoreSecrets':
      return {
        reason: 'RestoreSecret',
        call: async () => {
          const port = deps.secrets(await scope());
          await Promise.all(asked.names.map((name) => port.restore(name)));
          return `Restored ${asked.names.join(', ')}, because ${message}`;
        },
      };
    case 'AdoptTags':
      return adoption(deps, drift, (current) => ({
        additionalTags: withTagChange(current, known.infrastructure.spec, asked),
      }));
    case 'AdoptGroups':
      return adoptGroups(deps, drift, asked);
    case 'ReplaceMachine':
      return 'replace';
    default:
      return undefined;
  }
};
