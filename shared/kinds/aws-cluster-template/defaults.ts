import { defaultAWSClusterSpec } from '../aws-cluster/defaults.ts';
import type { AWSClusterTemplate } from './schema.ts';

type Spec = Parameters<typeof defaultAWSClusterSpec>[0];

const withBastion = (spec: Spec): Spec => ({ ...spec, bastion: { enabled: false, ...spec?.bastion } });

/**
 * What it makes is defaulted here already, so that a template shows what its clusters will be. The bastion is there in any
 * case, as upstream writes it: patches of classes replace its field `enabled`, and what does not exist cannot be replaced.
 */
export const defaultAWSClusterTemplate = (object: AWSClusterTemplate): AWSClusterTemplate => {
  const template = object.spec?.template;
  return template
    ? { ...object, spec: { template: { ...template, spec: defaultAWSClusterSpec(withBastion(template.spec)) } } }
    : object;
};
