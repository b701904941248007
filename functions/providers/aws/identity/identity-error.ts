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
  /** A source of the identity may not be used. */
  sourceUnauthorized: {
    type: 'PrincipalUsageAllowed',
    status: 'False',
    severity: 'Error',
    reason: 'SourcePrincipalUsageUnauthorized',
  },
  /** An object or value that the identity names does not exist or is invalid. */
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
   * The conditions for the AWSCluster. Without permission there are no credentials either, and upstream also reports
   * both.
   */
  get claims(): LegacyClaim[] {
    const { message } = this;
    const claim: LegacyClaim = { ...CLAIMS[this.problem], message };
    const isAllowed = claim.type !== 'PrincipalUsageAllowed';
    return isAllowed ? [{ ...IDENTITY_CLAIMS.allowed }, claim] : [claim, { ...CLAIMS.retrieval, message }];
  }
}

/** The conditions of an AWSCluster with a working identity. */
export const IDENTITY_CLAIMS = {
  allowed: { type: 'PrincipalUsageAllowed', status: 'True' },
  retrieved: { type: 'PrincipalCredentialRetrieved', status: 'True' },
} as const satisfies Record<string, LegacyClaim>;
