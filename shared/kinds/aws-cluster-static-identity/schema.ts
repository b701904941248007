import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { identitySpec } from '../schema/aws-identity.ts';
import { options, struct } from '../schema/fields.ts';

const spec = struct({ secretRef: z.string() }, identitySpec);

export const awsClusterStaticIdentitySchema = options({ spec });

/** The access key of a user, in a Secret. */
export interface AWSClusterStaticIdentity extends KubeObject {
  spec?: z.input<typeof spec>;
}
