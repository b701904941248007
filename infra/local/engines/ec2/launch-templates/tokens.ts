import { AwsFault } from '../../wire/fault.ts';
import { fingerprintOf } from '../instances/fingerprint.ts';
import type { LaunchTemplate } from '../records.ts';
import type { Ec2 } from '../state.ts';

/**
 * The result of an earlier use of a client token: the template and the number of the version. Undefined for a new
 * token, or if that template is deleted. Throws EC2's fault if the token was used with other parameters.
 */
export const repeatedTemplate = (
  ec2: Ec2,
  kind: 'template' | 'version',
  input: { ClientToken?: string },
): { template: LaunchTemplate; version: number } | undefined => {
  const made = input.ClientToken ? ec2.templateTokens.get(`${kind} ${input.ClientToken}`) : undefined;
  if (!made) return undefined;
  if (made.fingerprint !== fingerprintOf(input))
    throw new AwsFault(
      'IdempotentParameterMismatch',
      'The client token you have provided is associated with a resource that has already been created with different parameters.',
    );
  const template = ec2.launchTemplates.find(made.templateId);
  return template && { template, version: made.version };
};
