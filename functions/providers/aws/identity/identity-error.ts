import { RefusedError } from '../../../../shared/errors.ts';
import type { LegacyClaim } from '../../../../shared/plan/status/legacy-conditions.ts';

/** Upstream's condition types and reasons (CAPA api/v1beta2 conditions_consts). */
const CLAIMS = {
  /** The cluster's namespace may not use the identity that it names. */
  unauthorized: {
    type: 'PrincipalUsageAllowed',
    status: 'False',
    severity: 'Error',
    reason: 'PrincipalUsageUnauthorized',
  },
  /** The same for a source of the identity. */
  sourceUnauthorized: {
    type: 'PrincipalUsageAllowed',
    status: 'False',
    severity: 'Error',
    reason: 'SourcePrincipalUsageUnauthorized',
  },
  /** Something that the identity names does not exist, or is not valid. */
  retrieval: {
    type: 'PrincipalCredentialRetrieved',
    status: 'False',
    severity: 'Error',
    reason: 'PrincipalCredentialRetrievalFailed',
  },
  /** AWS issues no credentials. */
  refused: { type: 'PrincipalCredentialRetrieved', status: 'Unknown', reason: 'CredentialProviderBuildFailed' },
} as const satisfies Record<string, LegacyClaim>;

export type IdentityProblem = keyof typeof CLAIMS;

export type IdentityReason = (typeof CLAIMS)[IdentityProblem]['reason'];

/** A cluster's identity cannot be used: nothing is done in AWS for it until a user changes something. */
export class IdentityError extends RefusedError {
  readonly problem: IdentityProblem;

  constructor(problem: IdentityProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }

  /** The reason of the condition that is not True, and of the event. */
  get reason(): IdentityReason {
    return CLAIMS[this.problem].reason;
  }

  /**
   * What the AWSCluster reports about it. Without permission there are no credentials either, which upstream also
   * reports.
   */
  get claims(): LegacyClaim[] {
    const { message } = this;
    const claim: LegacyClaim = { ...CLAIMS[this.problem], message };
    const isAllowed = claim.type !== 'PrincipalUsageAllowed';
    return isAllowed ? [{ ...IDENTITY_CLAIMS.allowed }, claim] : [claim, { ...CLAIMS.retrieval, message }];
  }
}

/** What an AWSCluster with a working identity reports. */
export const IDENTITY_CLAIMS = {
  allowed: { type: 'PrincipalUsageAllowed', status: 'True' },
  retrieved: { type: 'PrincipalCredentialRetrieved', status: 'True' },
} as const satisfies Record<string, LegacyClaim>;
