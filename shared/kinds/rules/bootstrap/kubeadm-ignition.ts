import { forbiddenField, invalidValue } from '../../../kube-api/field-error.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { KubeadmConfigSpec } from '../../schema/kubeadm-config-spec.ts';

const NOT_WITH_IGNITION = 'not supported when spec.format is set to: "ignition"';

const validateDisks = ({ partitions = [], filesystems = [] }: Disks, field: string): FieldError[] => [
  ...partitions.flatMap(({ tableType }, index) =>
    tableType === undefined || tableType === 'gpt'
      ? []
      : [
          invalidValue(
            `${field}.diskSetup.partitions[${index}].tableType`,
            tableType,
            'only partition type "gpt" is supported when spec.format is set to "ignition"',
          ),
        ],
  ),
  ...filesystems.flatMap((filesystem, index) =>
    (['replaceFS', 'partition'] as const)
      .filter((name) => filesystem[name])
      .map((name) => forbiddenField(`${field}.diskSetup.filesystems[${index}].${name}`, NOT_WITH_IGNITION)),
  ),
];

type Disks = NonNullable<KubeadmConfigSpec['diskSetup']>;

/** CABPK's rules for the format of the bootstrap data; `field` is the path of the spec. */
export const validateIgnition = (spec: KubeadmConfigSpec, field: string): FieldError[] => {
  const { format = '', ignition, users = [], files = [], bootCommands, diskSetup = {} } = spec;
  if (format !== 'ignition') {
    const detail = 'must be set to "ignition" if spec.ignition is set';
    return ignition ? [invalidValue(`${field}.format`, format, detail)] : [];
  }
  const forbid = (path: string): FieldError => forbiddenField(`${field}.${path}`, NOT_WITH_IGNITION);
  return [
    ...users.flatMap(({ inactive }, index) => (inactive ? [forbid(`users[${index}].inactive`)] : [])),
    ...files.flatMap(({ encoding }, index) =>
      encoding === 'gzip' || encoding === 'gzip+base64' ? [forbid(`files[${index}].encoding`)] : [],
    ),
    ...(bootCommands ? [forbid('bootCommands')] : []),
    ...validateDisks(diskSetup, field),
  ];
};
