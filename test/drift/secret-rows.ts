import { CreateSecretCommand, DeleteSecretCommand, DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';
import { kinds } from '../../shared/kinds/index.ts';
import { MACHINE_UID_TAG } from '../../shared/providers/aws/plan/launch/request.ts';
import { NAMESPACE } from '../cluster-infrastructure/world.ts';
import { type DriftWorld, secretsOf } from './drift-world.ts';
import type { Row } from './row.ts';

const LATE = { namespace: NAMESPACE, name: 'red-control-plane-2' };
const PREFIX = 'aws.cluster.x-k8s.io/00000000-0000-4000-8000-000000000000';
const NAME = `${PREFIX}-0`;

/** A booting machine without a node, which names bootstrap data of the machine with this uid. */
const startLate = async ({ objects, ...world }: DriftWorld, uid: string | undefined): Promise<void> => {
  const SecretBinary = Buffer.from('bootstrap data');
  const Tags = [{ Key: MACHINE_UID_TAG, Value: uid }];
  await secretsOf(world).send(new CreateSecretCommand({ Name: NAME, SecretBinary, Tags }));
  await objects.mutate(kinds.awsMachine, LATE, ({ spec, ...rest }) => ({
    ...rest,
    spec: { ...spec, cloudInit: { secretPrefix: PREFIX, secretCount: 1 } },
  }));
  await objects.mutate(kinds.machine, LATE, ({ status: { nodeRef: _, ...status } = {}, ...rest }) => ({
    ...rest,
    status,
  }));
};

const describe = (world: DriftWorld) => secretsOf(world).send(new DescribeSecretCommand({ SecretId: NAME }));

export const isMarkedForDeletion = async (world: DriftWorld): Promise<boolean> =>
  (await describe(world).catch(() => undefined))?.DeletedDate !== undefined;

/** Marks for deletion the bootstrap data that a booting machine names: its own, or that of the machine with `uid`. */
export const markForDeletion = async (world: DriftWorld, uid?: string): Promise<void> => {
  await startLate(world, uid ?? (await world.objects.get(kinds.machine, LATE))?.metadata.uid);
  await secretsOf(world).send(new DeleteSecretCommand({ SecretId: NAME, RecoveryWindowInDays: 7 }));
};

/** Changes to secrets in the account. Afterwards, a machine of the world has no node, so this row is the last one. */
export const SECRET_ROWS: readonly Row[] = [
  {
    kind: 'BootstrapSecret',
    what: 'marks for deletion the bootstrap data of a machine that has not joined',
    change: (world) => markForDeletion(world),
    isThere: isMarkedForDeletion,
  },
];
