import { defaultAWSClusterSpec } from '../aws-cluster/defaults.ts';
import type { AWSClusterTemplate } from './schema.ts';

type Spec = Parameters<typeof defaultAWSClusterSpec>[0];

const withBastion = (spec: Spec): Spec => ({ ...spec, bastion: { enabled: false, ...spec?.bastion } });

/**
 * The spec is defaulted here, so that a template shows the settings of its clusters. The bastion is always present, as
 * in upstream: patches of classes replace its field `enabled`, and a missing field cannot be replaced.
 */
export const defaultAWSClusterTemplate = (object: AWSClusterTemplate): AWSClusterTemplate => {
  const template = object.spec?.template;
  return template
    ? { ...object, spec: { template: { ...template, spec: defaultAWSClusterSpec(withBastion(template.spec)) } } }
    : object;
};
