import type * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { identitySpec } from '../schema/aws-identity.ts';
import { options } from '../schema/fields.ts';

const spec = options(identitySpec);

export const awsClusterControllerIdentitySchema = options({ spec });

/** The credentials of the installation itself. There is one, named `default`. */
export interface AWSClusterControllerIdentity extends KubeObject {
  spec?: z.input<typeof spec>;
}
