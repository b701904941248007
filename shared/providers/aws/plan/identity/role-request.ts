import type { AssumeRoleCommandInput } from '@aws-sdk/client-sts';
import type { AWSClusterRoleIdentity } from '../../../../kinds/index.ts';
import { IDENTITY_ANNOTATION } from '../../../../kinds/rules/aws/wishes.ts';

/** STS gives no longer session to a caller that is itself a session of a role, as every function is. */
const CHAINED_SECONDS = 3600;

/** There may be a path before the name, which ARNs of sessions do not contain. */
const ROLE_ARN = /^arn:[\w-]+:iam::(\d{12}):role\/(?:.*\/)?([^/]+)$/;

/** The account and the name of the role; undefined if the ARN does not belong to a role. */
export const roleNamed = ({ spec }: AWSClusterRoleIdentity): { account: string; name: string } | undefined => {
  const [, account, name] = ROLE_ARN.exec(spec?.roleARN ?? '') ?? [];
  return account && name ? { account, name } : undefined;
};

/** The account of the role; undefined if the ARN does not belong to a role. */
export const roleAccount = (identity: AWSClusterRoleIdentity): string | undefined => roleNamed(identity)?.account;

/** The session name for an identity `name` that sets none: 2 to 64 characters of those that STS accepts. */
const defaultSessionName = (name: string): string => `windlass-${name}`.replace(/[^\w+=,.@-]/g, '-').slice(0, 64);

/** The same for all clusters with an identity, so that they share its credentials. */
export const sessionNameOf = ({ metadata, spec }: AWSClusterRoleIdentity): string =>
  spec?.sessionName || defaultSessionName(metadata.name);

const sessionTags = (text: string | undefined): { Key: string; Value: string }[] =>
  (text ?? '')
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [key = '', ...value] = pair.split('=');
      return { Key: key.trim(), Value: value.join('=').trim() };
    });

/**
 * Why a role may not be assumed, with the field; undefined if it may. `source` is the account of the caller. An
 * external id prevents that the trust in a role is used for others' clusters.
 */
export const roleProblem = (identity: AWSClusterRoleIdentity, source: string): string | undefined => {
  const { metadata, spec } = identity;
  const arn = spec?.roleARN ?? '';
  const account = roleAccount(identity);
  if (!account) return `spec.roleARN "${arn}" is not the ARN of an IAM role`;
  const isWaived = metadata.annotations?.[IDENTITY_ANNOTATION.withoutExternalId] === 'true';
  if (account === source || spec?.externalID || isWaived) return undefined;
  const waiver = `the annotation ${IDENTITY_ANNOTATION.withoutExternalId}: "true"`;
  return `spec.externalID is missing: ${arn} is of another account than ${source}, from which it is assumed. Set it here and in the role's trust policy, or waive it with ${waiver}`;
};

/** The request with which a role is assumed. `isChained`: by a session of another role. */
export const roleRequest = (identity: AWSClusterRoleIdentity, isChained: boolean): AssumeRoleCommandInput => {
  const { durationSeconds, inlinePolicy, policyARNs = [], externalID, roleARN } = identity.spec ?? { roleARN: '' };
  const annotations = identity.metadata.annotations ?? {};
  const tags = sessionTags(annotations[IDENTITY_ANNOTATION.sessionTags]);
  const sourceIdentity = annotations[IDENTITY_ANNOTATION.sourceIdentity];
  const seconds = durationSeconds && (isChained ? Math.min(durationSeconds, CHAINED_SECONDS) : durationSeconds);
  return {
    RoleArn: roleARN,
    RoleSessionName: sessionNameOf(identity),
    ...(seconds ? { DurationSeconds: seconds } : {}),
    ...(externalID ? { ExternalId: externalID } : {}),
    ...(inlinePolicy ? { Policy: inlinePolicy } : {}),
    ...(policyARNs.length > 0 ? { PolicyArns: policyARNs.map((arn) => ({ arn })) } : {}),
    ...(sourceIdentity ? { SourceIdentity: sourceIdentity } : {}),
    ...(tags.length > 0 ? { Tags: tags } : {}),
  };
};
