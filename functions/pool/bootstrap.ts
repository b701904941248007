import type { BootstrapData } from '../../shared/bootstrap/bootstrap-data.ts';
import { BootstrapInvalidError, CertificateInvalidError } from '../../shared/bootstrap/invalid.ts';
import type { Distribution } from '../../shared/distributions/distribution.ts';
import { MissingReferenceError, TransientError } from '../../shared/errors.ts';
import type { BootstrapConfig } from '../../shared/kinds/contract-objects.ts';
import { kinds, type Machine, type MachinePool, type Secret } from '../../shared/kinds/index.ts';
import { labelValueOf } from '../../shared/kinds/rules/names.ts';
import { GROUP, LABEL } from '../../shared/plan/labels.ts';
import { withBootstrapProblem, withDataSecret } from '../../shared/plan/machines/bootstrap-status.ts';
import { withLostDataOwner } from '../../shared/plan/machines/data-owner.ts';
import { withoutGroupChange } from '../../shared/plan/pools/digest.ts';
import type { WithPools } from '../../shared/providers/registry.ts';
import type { PoolBootstrapResult, PoolInput } from '../../shared/work/payloads.ts';
import { isOwnedBy } from '../cluster/owners.ts';
import { currentToken, type Joined, wantedDigest } from '../cluster/pools.ts';
import { readControlPlane } from '../cluster/snapshot.ts';
import { bootstrapRequest } from '../machine/objects/bootstrap-request.ts';
import { dataSecret } from '../machine/objects/data-secret.ts';
import { POOL_LEASE_SECONDS } from './begin.ts';
import type { PoolDependencies } from './dependencies.ts';
import { type PoolSnapshot, poolKey, readPool } from './read-pool.ts';
import { poolRecorder } from './reasons.ts';

interface Bootstrap {
  config: BootstrapConfig;
  distribution: Distribution;
}

/**
 * The result if the pool is being deleted, if another execution works on it, or if its data cannot be renewed: this
 * check reaches no state that could be recorded.
 */
const OVER: PoolBootstrapResult = { digest: '' };

/**
 * Creates the Secret with the bootstrap data of a pool's instances, and keeps it up to date: a group may launch an
 * instance at any time, so the data is always in use. Returns the desired state at the time of this check.
 */
export const poolBootstrap =
  (deps: PoolDependencies) =>
  async ({ pool: ref, holder }: PoolInput): Promise<PoolBootstrapResult> => {
    const { objects, work, clock } = deps;
    const snapshot = await readPool(objects, ref);
    if (!snapshot || snapshot.pool.metadata.deletionTimestamp) return OVER;
    if (!(await work.extendMachine(ref, holder, POOL_LEASE_SECONDS))) return OVER;
    await beginCheck(objects, snapshot);
    const { config, distribution, infrastructureCluster } = snapshot;
    const joined = await readJoined(objects, snapshot);
    const infrastructure = infrastructureCluster?.object ?? null;
    const digest = joined && wantedDigest(snapshot, infrastructure, joined, clock.now());
    if (digest === undefined)
      throw new TransientError(
        'an object that the MachinePool refers to, or that its instances need in order to join, does not exist yet',
      );
    if (config && distribution) {
      if (!(await ensureData(deps, snapshot, { config, distribution }, ref))) return OVER;
      await nameData(deps, ref, config.metadata.name);
    }
    return { digest };
  };

/** The provider observes the group after this time, so it sees all earlier changes. */
const beginCheck = async (
  objects: PoolDependencies['objects'],
  { provider, infrastructure }: PoolSnapshot,
): Promise<void> => {
  if (!provider || !infrastructure || !withoutGroupChange(infrastructure)) return;
  const { namespace = '', name, uid } = infrastructure.metadata;
  await objects.mutate(provider.pool.kind, { namespace, name }, (current) =>
    current.metadata.uid === uid ? withoutGroupChange(current) : undefined,
  );
};

/** The control plane that the instances join; its machines only if the data depends on them. */
const readJoined = async (
  objects: PoolDependencies['objects'],
  { cluster, distribution }: PoolSnapshot,
): Promise<Joined | undefined> => {
  if (!cluster) return undefined;
  if (!distribution?.joining) return { cluster, controlPlane: null, machines: [] };
  const { namespace = '', name } = cluster.metadata;
  const [{ controlPlane }, machines] = await Promise.all([
    readControlPlane(objects, cluster),
    objects.listOfCluster(kinds.machine, namespace, name),
  ]);
  return { cluster, controlPlane, machines };
};

/**
 * False if the data cannot be renewed. The pool's existing data is used until then: the group still has to follow its
 * spec, and its instances have to be drained.
 */
const ensureData = async (
  deps: PoolDependencies,
  snapshot: PoolSnapshot,
  bootstrap: Bootstrap,
  ref: PoolInput['pool'],
): Promise<boolean> => {
  const { objects, clock } = deps;
  const { config, distribution } = bootstrap;
  const key = { namespace: ref.namespace, name: config.metadata.name };
  const rendered = await renderOrKeep(deps, snapshot, bootstrap, ref);
  if (!rendered) return false;
  const { body, format, warnings = [] } = rendered;
  if (warnings.length > 0) await poolRecorder(deps).warning(snapshot.pool, 'IgnitionWarnings', warnings.join('; '));
  const wanted = dataSecret(config, ref.clusterName, body, format);
  const { object: found, created } = await objects.ensure(kinds.secret, wanted);
  const object = created ? found : await withOwnData(objects, found, config);
  if (!created && !isOwnedBy(object, config)) {
    const message = `Secret ${key.name} exists and does not belong to ${config.kind} ${key.name}; delete or rename one of them`;
    throw new BootstrapInvalidError('spec.template.spec.bootstrap', message);
  }
  if (!created && object.data?.value !== wanted.data?.value) {
    await objects.mutate(kinds.secret, key, (current) => ({ ...current, data: wanted.data }), { from: object });
    await poolRecorder(deps).normal(
      snapshot.pool,
      'BootstrapDataRenewed',
      'New instances start with new bootstrap data',
    );
  }
  await objects.mutate(distribution.config, key, (current) => withDataSecret(current, key.name, clock.now()));
  return true;
};

/** The rendered data; undefined if it cannot be rendered, but the pool has data already. */
const renderOrKeep = async (
  deps: PoolDependencies,
  snapshot: PoolSnapshot,
  bootstrap: Bootstrap,
  ref: PoolInput['pool'],
): Promise<BootstrapData | undefined> => {
  try {
    return await render(deps, snapshot, bootstrap, ref);
  } catch (error) {
    if (!isUsersProblem(error)) throw error;
    const { config } = bootstrap;
    const key = { namespace: ref.namespace, name: config.metadata.name };
    const found = await deps.objects.get(kinds.secret, key, { unopened: true });
    if (!found || !isOwnedBy(found, config)) throw error;
    await poolRecorder(deps).warning(snapshot.pool, 'FailedReconcile', `${error.name}: ${error.message}`);
    return undefined;
  }
};

const isUsersProblem = (error: unknown): error is BootstrapInvalidError | MissingReferenceError =>
  error instanceof BootstrapInvalidError || error instanceof MissingReferenceError;

/** The Secret, with its owner restored if that was removed. */
const withOwnData = async (
  objects: PoolDependencies['objects'],
  secret: Secret,
  config: Bootstrap['config'],
): Promise<Secret> => {
  if (!withLostDataOwner(secret, config)) return secret;
  const change = (current: Secret) => withLostDataOwner(current, config);
  return (await objects.mutate(kinds.secret, secret, change, { from: secret })) ?? secret;
};

/**
 * The machine for which the data is rendered: it stands for any instance of the pool. It has no labels of the pool's
 * template, because a label could make it a machine of the control plane.
 */
const anyMachine = (snapshot: PoolSnapshot, now: Date): Machine => {
  const { pool, cluster } = snapshot;
  const { spec } = pool.spec.template;
  return {
    apiVersion: `${GROUP.core}/v1beta2`,
    kind: 'Machine',
    metadata: {
      namespace: pool.metadata.namespace,
      name: pool.metadata.name,
      uid: currentToken(snapshot, now)?.subject ?? pool.metadata.uid,
      labels: { [LABEL.clusterName]: cluster?.metadata.name ?? '', [LABEL.poolName]: labelValueOf(pool.metadata.name) },
    },
    spec: { ...spec, clusterName: pool.spec.clusterName },
  };
};

/** Renders the data, or reports on the configuration why it cannot be rendered. */
const render = async (
  deps: PoolDependencies,
  snapshot: PoolSnapshot,
  { config, distribution }: Bootstrap,
  ref: PoolInput['pool'],
): Promise<BootstrapData> => {
  const { cluster, infrastructureCluster, infrastructure, provider } = snapshot;
  const machine = anyMachine(snapshot, deps.clock.now());
  const place = { machine, distribution, infrastructureMachine: null, cluster, infrastructureCluster };
  try {
    const request = await bootstrapRequest(deps, place, config, ref);
    const boot = infrastructure ? (provider as WithPools).pool.boot(infrastructure) : {};
    return await distribution.render({ ...request, ...boot });
  } catch (error) {
    if (isUsersProblem(error)) {
      const where = error instanceof CertificateInvalidError ? 'certificates' : 'configuration';
      const key = { namespace: ref.namespace, name: config.metadata.name };
      await deps.objects.mutate(distribution.config, key, (current) =>
        withBootstrapProblem(current, { in: where, message: error.message }, deps.clock.now()),
      );
    }
    throw error;
  }
};

const nameData = async ({ objects }: PoolDependencies, ref: PoolInput['pool'], name: string): Promise<void> => {
  await objects.mutate(kinds.machinePool, poolKey(ref), (current) => withDataName(current, name));
};

const withDataName = (pool: MachinePool, name: string): MachinePool | undefined => {
  const { template } = pool.spec;
  if (template.spec.bootstrap.dataSecretName === name) return undefined;
  const bootstrap = { ...template.spec.bootstrap, dataSecretName: name };
  return { ...pool, spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, bootstrap } } } };
};
