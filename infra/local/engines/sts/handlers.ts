import type * as sdk from '@aws-sdk/client-sts';
import type { Call } from '../wire/call.ts';
import { AwsFault, onlySimulated } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import type { Place } from '../wire/place.ts';
import { verifyPresigned } from './presigned.ts';
import type { Principal, Principals } from './principals.ts';
import { mayAssume, type RoleDirectory } from './trust.ts';

const ROLE = /^arn:aws:iam::\d{12}:role\/(?:[\w+=,.@/-]*\/)?([\w+=,.@-]{1,64})$/;
const SESSION = /^[\w+=,.@-]{2,64}$/;

const callerOf = (place: Place, principals: Principals, call: Call): Principal => {
  const principal = principals.find(call.accessKeyId);
  if (!principal)
    throw new AwsFault('InvalidClientTokenId', 'The security token included in the request is invalid.', 403);
  const now = place.clock.now();
  if (principal.expiresAt && principal.expiresAt <= now)
    throw new AwsFault('ExpiredToken', 'The security token included in the request is expired', 403);
  if (call.request.scope.presigned) verifyPresigned(call.request, principal, now);
  return principal;
};

const invalid = (message: string): AwsFault => new AwsFault('ValidationError', message);

const checkTrust = (roles: RoleDirectory, caller: Principal, input: sdk.AssumeRoleRequest, name: string): void => {
  const account = input.RoleArn?.split(':')[4] ?? '';
  if (mayAssume(roles, account, name, { arn: caller.arn, externalId: input.ExternalId })) return;
  const message = `User: ${caller.arn} is not authorized to perform: sts:AssumeRole on resource: ${input.RoleArn}`;
  throw new AwsFault('AccessDenied', message, 403);
};

const checkDuration = (seconds: number, { arn }: Principal): void => {
  if (seconds < 900 || seconds > 43_200) throw invalid('The requested DurationSeconds must be between 900 and 43200');
  if (seconds > 3600 && arn.includes(':assumed-role/'))
    throw invalid('The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining');
};

const assume = (
  place: Place,
  principals: Principals,
  roles: RoleDirectory,
  caller: Principal,
  input: sdk.AssumeRoleRequest,
) => {
  const known = ['RoleArn', 'RoleSessionName', 'DurationSeconds', 'ExternalId', 'SourceIdentity', 'Tags'];
  onlySimulated('sts:AssumeRole', input, [...known, 'Policy', 'PolicyArns']);
  const { RoleArn = '', RoleSessionName = '', DurationSeconds = 3600 } = input;
  const name = ROLE.exec(RoleArn)?.[1];
  if (!name) throw invalid(`${RoleArn} is invalid`);
  if (!SESSION.test(RoleSessionName)) throw invalid(`the role session name '${RoleSessionName}' is not valid`);
  checkDuration(DurationSeconds, caller);
  checkTrust(roles, caller, input, name);
  const account = RoleArn.split(':')[4];
  const arn = `arn:aws:sts::${account}:assumed-role/${name}/${RoleSessionName}`;
  const expiresAt = new Date(place.clock.now().getTime() + DurationSeconds * 1000);
  const { credentials, userId } = principals.add(arn, { expiresAt });
  return {
    Credentials: {
      AccessKeyId: credentials.accessKeyId,
      SecretAccessKey: credentials.secretAccessKey,
      SessionToken: credentials.sessionToken,
      Expiration: expiresAt,
    },
    AssumedRoleUser: { Arn: arn, AssumedRoleId: userId },
  };
};

/**
 * The caller's identity, and roles if their trust policies let the caller assume them. Presigned requests are verified,
 * and only credentials that the accounts have issued are known.
 */
export const stsHandlers = (place: Place, principals: Principals, roles: RoleDirectory): Handlers<typeof sdk> => ({
  GetCallerIdentity: (_input, call) => {
    const { arn, userId } = callerOf(place, principals, call);
    return { Account: arn.split(':')[4], Arn: arn, UserId: userId };
  },
  AssumeRole: (input, call) => assume(place, principals, roles, callerOf(place, principals, call), input),
});
