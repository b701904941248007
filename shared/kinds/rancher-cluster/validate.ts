import { forbiddenField, invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { LABEL } from '../schema/names.ts';
import { inlineSecrets } from './config-text.ts';
import { LONGEST_RANCHER_NAME, namespaceOfRancher } from './names.ts';
import type { RancherCluster } from './schema.ts';

const NO_FILES = 'files are not read: put the content of cluster.yml into spec.config';

const validateName = (name: string): FieldError[] =>
  name.length <= LONGEST_RANCHER_NAME && new RegExp(LABEL).test(name)
    ? []
    : [
        invalidValue(
          'metadata.name',
          name,
          `must have at most ${LONGEST_RANCHER_NAME} lowercase letters, digits and hyphens, because "${namespaceOfRancher(name)}" becomes a namespace`,
        ),
      ];

/** Also works for a text that is not YAML and so has no fields. */
const secretsIn = (config: string): string[] => {
  const fields = inlineSecrets(config);
  return fields.length === 0 && config.includes('PRIVATE KEY-----') ? ['has a private key'] : fields;
};

/**
 * What must not be stored at all. Other errors in a configuration are reported in the condition Provisioned, because
 * they may depend on other objects.
 */
export const validateRancherCluster = (
  { metadata, spec }: RancherCluster,
  old: RancherCluster | undefined,
): FieldError[] => {
  const secrets = spec.config === old?.spec.config ? [] : secretsIn(spec.config);
  return [
    ...(old ? [] : validateName(metadata.name)),
    ...(spec.configPath ? [forbiddenField('spec.configPath', NO_FILES)] : []),
    ...secrets.map((what) =>
      forbiddenField(
        'spec.config',
        `${what}: a Cluster is not a Secret: put the value into a Secret, and name that as ssh_key_path: <namespace>/<name>`,
      ),
    ),
  ];
};
