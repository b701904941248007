import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { identityRef, identitySpec } from '../schema/aws-identity.ts';
import { int32, list, options, struct } from '../schema/fields.ts';

const spec = struct(
  { roleARN: z.string() },
  {
    ...identitySpec,
    sessionName: z.string(),
    durationSeconds: int32({ min: 900, max: 43200 }),
    inlinePolicy: z.string(),
    policyARNs: list(z.string()),
    externalID: z.string(),
    sourceIdentityRef: identityRef,
  },
);

export const awsClusterRoleIdentitySchema = options({ spec });

/** A role that is assumed, by way of another identity. */
export interface AWSClusterRoleIdentity extends KubeObject {
  spec?: z.input<typeof spec>;
}
