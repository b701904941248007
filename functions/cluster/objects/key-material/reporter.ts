import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { toTokenSecret } from '../../../../shared/bootstrap/certificates/secrets.ts';
import { REPORTS_TOKEN } from '../../../../shared/bootstrap/change-reports/reports.ts';
import type { ControlPlane } from '../../../../shared/kinds/contract-objects.ts';
import { type Cluster, kinds, type Secret } from '../../../../shared/kinds/index.ts';
import { reportedBy, reportsSecretName } from '../../../../shared/kinds/rules/report-changes.ts';
import { controllerReference } from '../../../../shared/plan/machines/desired.ts';
import type { Random } from '../../../../shared/random.ts';
import type { ObjectsDependencies } from '../dependencies.ts';

const TOKEN_BYTES = 32;

const makeToken = (random: Random): string => Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');

const tokenIn = ({ data }: Secret): string => Buffer.from(data?.value ?? '', 'base64').toString('utf8');

/** The cluster's token: the one in its Secret, or a new one. */
const ensureToken = async (
  { objects, random }: ObjectsDependencies,
  { metadata }: Cluster,
  owner: ControlPlane,
): Promise<string> => {
  const { namespace = '', name: clusterName } = metadata;
  const name = reportsSecretName(clusterName);
  const current = await objects.get(kinds.secret, { namespace, name });
  if (current) return tokenIn(current);
  const secret = toTokenSecret(clusterName, namespace, name, makeToken(random)) as Secret;
  secret.metadata.ownerReferences = [controllerReference(owner)];
  return tokenIn((await objects.ensure(kinds.secret, secret)).object);
};

/**
 * If the annotation requests reports, gives the API servers of a cluster a token with which they report changes, and
 * records its digest for the function that receives the reports. The record belongs to this Cluster's uid, so a user's
 * change to the Secret concerns only this cluster. Returns undefined, or a description of the problem.
 */
export const ensureReporter = async (
  deps: ObjectsDependencies,
  cluster: Cluster,
  owner: ControlPlane,
): Promise<string | undefined> => {
  const { namespace = '', name, uid = '' } = cluster.metadata;
  if (!deps.reporters || reportedBy(cluster).length === 0) return undefined;
  const token = await ensureToken(deps, cluster, owner);
  if (!REPORTS_TOKEN.test(token)) {
    return `Secret ${reportsSecretName(name)} has no token of 43 characters under "value": delete it, and another one is generated`;
  }
  const digest = createHash('sha256').update(token).digest('hex');
  if ((await deps.reporters.get(uid))?.digest !== digest) await deps.reporters.trust({ namespace, name, uid }, digest);
  return undefined;
};
