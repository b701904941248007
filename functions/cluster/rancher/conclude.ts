import type { HostCluster, RancherCluster } from '../../../shared/kinds/index.ts';
import { StatusError } from '../../../shared/kube-api/status-error.ts';
import { changesRefused } from '../../../shared/plan/rancher/changes.ts';
import { isProblems, type RancherConfig, readRancherConfig } from '../../../shared/plan/rancher/config.ts';
import { DEFAULT_VERSION, partsOf } from '../../../shared/plan/rancher/names.ts';
import { describeProblems, notProvisioned, provisionedClaim, readyClaim } from '../../../shared/plan/rancher/status.ts';
import type { ConditionClaim } from '../../../shared/plan/status/conditions.ts';
import { areProblems, readAccess } from './access.ts';
import { carryOut } from './carry-out.ts';
import type { RancherDependencies } from './dependencies.ts';
import { publish } from './publish.ts';
import { type Made, readMade } from './read.ts';
import { rancherRecorder } from './reasons.ts';
import { say } from './say.ts';

const API_PORT = 6443;

type Endpoint = { host: string; port: number };

/** The endpoint never changes once it is set, because certificates and kubeconfigs contain it. */
const endpointOf = (hostCluster: HostCluster | undefined, { yml, nodes }: RancherConfig): Endpoint => {
  const { host, port = API_PORT } = hostCluster?.spec.controlPlaneEndpoint ?? {};
  if (host) return { host, port };
  const [first] = nodes.filter(({ isControlPlane }) => isControlPlane);
  return { host: yml.authentication?.sans?.[0] ?? first?.address ?? '', port: API_PORT };
};

/** A missing or invalid part of the configuration, as a claim. Only a user's write can correct it. */
class Hindrance extends Error {
  override name = 'Hindrance';
  readonly claim: ConditionClaim;

  constructor(claim: ConditionClaim) {
    super(claim.message);
    this.claim = claim;
  }
}

const hinder = (reason: string, message: string): never => {
  throw new Hindrance(notProvisioned(reason, message));
};

const requireOwn = ({ cluster, namespace, isOwn }: Made): void => {
  const place = `namespace ${partsOf(cluster).namespace}`;
  if (!isOwn)
    hinder(
      'NamespaceTaken',
      `metadata.name: ${place} exists and was not created for this Cluster: delete it, or choose another name`,
    );
  if (namespace?.metadata.deletionTimestamp)
    hinder('NamespaceTerminating', `metadata.name: ${place} is being deleted; the Cluster continues afterwards`);
};

/** The progress of a configuration, and the objects that existed when it was determined. */
interface Outcome {
  claim: ConditionClaim;
  made: Made;
}

/** Carries out a configuration as far as possible, and returns the progress. */
const provision = async (deps: RancherDependencies, made: Made): Promise<Outcome> => {
  const { cluster } = made;
  const config = readRancherConfig(cluster.spec.config, cluster.metadata.name);
  if (isProblems(config)) return hinder('InvalidConfig', describeProblems(config));
  requireOwn(made);
  const access = await readAccess(deps.objects, config);
  if (areProblems(access)) return hinder('CredentialsInvalid', describeProblems(access));
  const { isInitialized } = made;
  const endpoint = endpointOf(made.hostCluster, config);
  const version = config.version ?? made.controlPlane?.spec.version ?? DEFAULT_VERSION;
  const facts = { cluster, config, access, version, endpoint, isInitialized };
  const refused = changesRefused(facts, made);
  if (refused.length > 0) return hinder('ChangeRefused', describeProblems(refused));
  await carryOut(deps, facts, made);
  const after = await readMade(deps.objects, cluster);
  const claim = provisionedClaim({ config, ...after });
  await publish(deps, after, config, claim.status === 'True');
  return { claim, made: after };
};

const claimOf = (error: unknown): ConditionClaim => {
  if (error instanceof Hindrance) return error.claim;
  if (error instanceof StatusError && error.code < 500)
    return notProvisioned('Refused', `spec.config: ${error.message}`);
  throw error;
};

/** Like `provision`; a refusal by the API is reported like an error in the configuration. */
const tryProvision = async (deps: RancherDependencies, made: Made): Promise<Outcome> => {
  try {
    return await provision(deps, made);
  } catch (error) {
    return { claim: claimOf(error), made: await readMade(deps.objects, made.cluster) };
  }
};

/** An event is recorded when the claim changes, unless it only reports progress. */
const report = async (deps: RancherDependencies, cluster: RancherCluster, claim: ConditionClaim): Promise<void> => {
  const before = cluster.status?.conditions?.find(({ type }) => type === claim.type);
  if (before?.status === claim.status && before.reason === claim.reason && before.message === claim.message) return;
  const recorder = rancherRecorder(deps);
  if (claim.status === 'True') await recorder.normal(cluster, 'ClusterProvisioned', 'All nodes run');
  else if (claim.reason !== 'Provisioning')
    await recorder.warning(cluster, 'ClusterNotProvisioned', claim.message ?? '');
};

/**
 * A pass over a Cluster that is not in deletion. Returns whether it has reached its desired state, or waits for a
 * user's write.
 */
export const converge = async (deps: RancherDependencies, made: Made): Promise<boolean> => {
  const { claim, made: after } = await tryProvision(deps, made);
  const ready = readyClaim(after.made);
  await say(deps, after, [claim, ready]);
  await report(deps, made.cluster, claim);
  return (claim.status === 'True' && ready.status === 'True') || claim.reason === 'InvalidConfig';
};
