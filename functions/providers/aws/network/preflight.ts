import { kinds } from '../../../../shared/kinds/index.ts';
import type { Reference } from '../../../../shared/kinds/reference.ts';
import { findingsOf } from '../../../../shared/providers/aws/plan/preflight/findings.ts';
import {
  hasPassed,
  isPast,
  openParts,
  skipProblem,
  unpassed,
  withPassed,
} from '../../../../shared/providers/aws/plan/preflight/gate.ts';
import type { Findings, Wants } from '../../../../shared/providers/aws/plan/preflight/model.ts';
import { type MachineSource, wantsOf } from '../../../../shared/providers/aws/plan/preflight/wants.ts';
import { awsName } from '../../../../shared/providers/aws/references.ts';
import { readControlPlane, type SnapshotReads } from '../../../cluster/snapshot.ts';
import type { LiveScope } from '../infrastructure/scope.ts';
import type { NetworkDependencies } from './dependencies.ts';
import { gatherFacts } from './gather-facts.ts';
import { readPoolSources } from './pool-sources.ts';
import { recorder } from './reasons.ts';
import { reportProblem } from './report.ts';

interface Wish {
  reference: Reference | undefined;
  replicas: number;
  version: string | undefined;
  failureDomain?: string | undefined;
}

/** The needs of the control plane, the deployments and the pools; a missing template is checked once it exists. */
export const readSources = async (
  { objects }: { objects: SnapshotReads },
  scope: Pick<LiveScope, 'name' | 'cluster'>,
): Promise<MachineSource[]> => {
  const { namespace, name } = scope.name;
  const [{ controlPlane }, deployments, pools] = await Promise.all([
    readControlPlane(objects, scope.cluster),
    objects.listOfCluster(kinds.machineDeployment, namespace, name),
    readPoolSources(objects, scope),
  ]);
  const wishes: Wish[] = deployments.map(({ spec }) => ({
    reference: spec.template.spec.infrastructureRef,
    replicas: spec.replicas ?? 1,
    version: spec.template.spec.version ?? controlPlane?.spec.version,
    failureDomain: spec.template.spec.failureDomain,
  }));
  if (controlPlane) {
    const { replicas = 1, version, machineTemplate } = controlPlane.spec;
    wishes.unshift({ reference: machineTemplate.spec.infrastructureRef, replicas, version });
  }
  const found = await Promise.all(
    wishes.map(async ({ reference, replicas, version = '', failureDomain }): Promise<MachineSource[]> => {
      const templateName = awsName('machineTemplate', reference);
      const template = templateName && (await objects.get(kinds.awsMachineTemplate, { namespace, name: templateName }));
      return template ? [{ template, replicas, version, ...(failureDomain ? { failureDomain } : {}) }] : [];
    }),
  );
  return [...found.flat(), ...pools];
};

/** The parts of the cluster that do not exist yet and have not passed the checks before. */
const wantsLeft = async (deps: NetworkDependencies, scope: LiveScope): Promise<Wants | undefined> => {
  const { cluster, awsCluster, name } = scope;
  if (isPast(cluster, awsCluster)) return undefined;
  const [sources, machines] = await Promise.all([
    readSources(deps, scope),
    deps.objects.listOfCluster(kinds.machine, name.namespace, name.name),
  ]);
  const open = openParts(awsCluster, machines);
  const left = unpassed(wantsOf(name, awsCluster, sources, open));
  return left.network || left.machines ? wantsOf(name, awsCluster, sources, left) : undefined;
};

const told = (things: readonly string[]): string =>
  things.length === 1 ? (things[0] ?? '') : things.map((thing, index) => `(${index + 1}) ${thing}`).join('; ');

/** What is missing, and what could not be checked. Cached counts are read again before a cluster is refused. */
const look = async (deps: NetworkDependencies, scope: LiveScope, wants: Wants): Promise<Findings> => {
  const account = deps.account(scope.aws);
  const { reachesPrivate } = deps;
  const begun = deps.clock.now();
  const once = async (): Promise<Findings> => {
    const asked = await gatherFacts(account, wants, scope.aws, deps.clock.now());
    return findingsOf(wants, { ...asked, ...(reachesPrivate === undefined ? {} : { reachesPrivate }) });
  };
  const found = await once();
  return found.missing.length > 0 && account.forgetBefore?.(begun) ? once() : found;
};

/**
 * Checks before the first creation whether the account has everything that the cluster needs. If false, one condition
 * and one event list everything that is missing. Checks for which the permission is missing are reported and block
 * nothing.
 */
export const preflight = async (deps: NetworkDependencies, scope: LiveScope): Promise<boolean> => {
  const wants = await wantsLeft(deps, scope);
  if (!wants) return true;
  const problem = skipProblem(scope.awsCluster);
  const { missing, unseen } = await look(deps, scope, wants);
  const all = [...(problem ? [problem] : []), ...missing];
  const blind = unseen.length > 0 ? `not checked: ${unseen.join('; ')}` : '';
  if (all.length > 0) {
    const message = `the account lacks what the cluster needs: ${told(all)}${blind && `; ${blind}`}`;
    await reportProblem(deps, scope, { condition: 'VpcReady', message });
    return false;
  }
  if (blind) {
    await recorder(deps).warning(scope.awsCluster, 'PreflightIncomplete', blind);
  }
  await deps.objects.mutate(kinds.awsCluster, scope.key, (current) => withPassed(current, wants));
  return true;
};

/**
 * Whether the account may use the cluster's region. The query is made from the functions' region, and only for other
 * regions.
 */
export const isRegionUsable = async (deps: NetworkDependencies, scope: LiveScope): Promise<boolean> => {
  const { region, identity } = scope.aws;
  if (!region || hasPassed(scope.awsCluster) || isPast(scope.cluster, scope.awsCluster)) return true;
  const home = { region: undefined, identity };
  if (identity.credentials === undefined && (await deps.ec2(home).describeOwnRegion()) === region) return true;
  if (await deps.account(home).isEnabled(region)) return true;
  const message = `spec.region: the account has no region ${region}, or it is not enabled there (OptInRequired); enable it in the account's settings or name another`;
  await reportProblem(deps, scope, { condition: 'VpcReady', message });
  return false;
};
