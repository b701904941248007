import { defaultAWSClusterSpec } from '../aws-cluster/defaults.ts';
import type { AWSClusterTemplate } from './schema.ts';

/** What it makes is defaulted here already, so that a template shows what its clusters will be. */
export const defaultAWSClusterTemplate = (object: AWSClusterTemplate): AWSClusterTemplate => {
  const template = object.spec?.template;
  return template
    ? { ...object, spec: { template: { ...template, spec: defaultAWSClusterSpec(template.spec) } } }
    : object;
};
