import type { Principal } from '../sts/principals.ts';
import type { Call } from '../wire/call.ts';

const ROLE = /^arn:aws:sts::(\d{12}):assumed-role\/([^/]+)\/(.+)$/;

/** The role that all functions of the laptop share; on AWS, each has its own. */
const SHARED_ROLE = 'WindlassFunctions';

/**
 * `userIdentity` in a trail: a session with the role that issued it, or a user. Unknown credentials, which the
 * simulated services also accept, belong to a user of that name.
 */
export const userIdentity = (
  { accessKeyId, functionName }: Pick<Call, 'accessKeyId' | 'functionName'>,
  principal: Principal | undefined,
  accountId: string,
) => {
  const [, owner = accountId, role, session] = ROLE.exec(principal?.arn ?? '') ?? [];
  if (!principal || role === undefined) {
    const userName = principal?.arn.split('/').at(-1) ?? accessKeyId;
    const arn = principal?.arn ?? `arn:aws:iam::${accountId}:user/${userName}`;
    return { type: 'IAMUser', principalId: principal?.userId ?? accessKeyId, arn, accountId, accessKeyId, userName };
  }
  const userName = role === SHARED_ROLE && functionName ? functionName : role;
  const [issuer] = principal.userId.split(':');
  return {
    type: 'AssumedRole',
    principalId: principal.userId,
    arn: `arn:aws:sts::${owner}:assumed-role/${userName}/${session}`,
    accountId: owner,
    accessKeyId,
    sessionContext: {
      sessionIssuer: {
        ...{ type: 'Role', principalId: issuer, arn: `arn:aws:iam::${owner}:role/${userName}` },
        ...{ accountId: owner, userName },
      },
      attributes: { mfaAuthenticated: 'false' },
    },
  };
};
