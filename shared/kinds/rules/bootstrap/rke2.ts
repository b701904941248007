import { isDeepStrictEqual } from 'node:util';
import { invalidValue } from '../../../kube-api/field-error.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { Rke2AgentConfig, Rke2ConfigSpec, Rke2Registries } from '../../schema/rke2-config-spec.ts';
import type { Rke2ServerConfig } from '../../schema/rke2-server-config.ts';
import { type Unsupported, warnUnsupported } from '../unsupported.ts';
import { validateNodeAnnotations } from './node-annotations.ts';

const isNothing = (value: object | undefined): boolean => value === undefined || Object.keys(value).length === 0;

const validateRegistries = ({ configs = {} }: Rke2Registries, field: string): FieldError[] =>
  Object.entries(configs).flatMap(([name, { authSecret, tls }]) =>
    isNothing(authSecret) && isNothing(tls)
      ? [
          invalidValue(
            `${field}.privateRegistriesConfig.configs.${name}`,
            undefined,
            `need either credentials, tls settings or both for registry: ${name}`,
          ),
        ]
      : [],
  );

/**
 * Upstream's CEL rules depend on the presence of fields, and skip unchanged values, so that objects that were stored
 * before can be changed.
 */
const validateSources = (spec: Rke2ConfigSpec, old: Rke2ConfigSpec, field: string): FieldError[] => {
  const userData = spec.agentConfig?.additionalUserData;
  const hasBoth = userData?.config !== undefined && userData.data !== undefined;
  const isNew = !isDeepStrictEqual(userData, old.agentConfig?.additionalUserData);
  const at = `${field}.agentConfig.additionalUserData`;
  return [
    ...(hasBoth && isNew ? [invalidValue(at, undefined, 'only one of config or data may be specified')] : []),
    ...(spec.files ?? []).flatMap((file, index) =>
      file.contentFrom?.secret && file.contentFrom.configMap && !old.files?.some((one) => isDeepStrictEqual(one, file))
        ? [
            invalidValue(
              `${field}.files[${index}].contentFrom`,
              undefined,
              'only one of secret or configMap may be specified',
            ),
          ]
        : [],
    ),
  ];
};

/** Objects that were stored before can be changed. */
const validateAnnotations = (spec: Rke2ConfigSpec, old: Rke2ConfigSpec, field: string): FieldError[] => {
  const { nodeAnnotations = {} } = spec.agentConfig ?? {};
  const isOld = isDeepStrictEqual(nodeAnnotations, old.agentConfig?.nodeAnnotations ?? {});
  return isOld ? [] : validateNodeAnnotations(nodeAnnotations, `${field}.agentConfig.nodeAnnotations`);
};

/**
 * Rules of the RKE2 bootstrap provider (bootstrap/api/v1beta2/rke2config_webhook.go, rke2config_types.go); `field` is
 * the path of the spec. `old`: the spec before an update.
 */
export const validateRke2Config = (
  spec: Rke2ConfigSpec = {},
  old: Rke2ConfigSpec | undefined,
  field: string,
): FieldError[] => [
  ...validateSources(spec, old ?? {}, field),
  ...validateAnnotations(spec, old ?? {}, field),
  ...validateRegistries(spec.privateRegistriesConfig ?? {}, field),
  ...(spec.files ?? []).flatMap(({ content, contentFrom }, index) =>
    content && contentFrom
      ? [invalidValue(`${field}.files[${index}]`, undefined, 'only one of content or contentFrom may be specified')]
      : [],
  ),
];

interface ControlPlaneFields {
  serverConfig?: Rke2ServerConfig;
  registrationMethod?: string;
  registrationAddress?: string;
}

/** Rules that control planes and their templates share (controlplane/api/v1beta2/rke2controlplane_webhook.go). */
export const validateRke2ControlPlaneFields = (
  { serverConfig, registrationMethod, registrationAddress }: ControlPlaneFields,
  old: ControlPlaneFields | undefined,
  field: string,
): FieldError[] => {
  const lacksAddress = !old && registrationMethod === 'address' && !registrationAddress;
  const moved = old?.registrationMethod && old.registrationMethod !== registrationMethod;
  return [
    ...(serverConfig?.cniMultusEnable && !serverConfig.cni
      ? [invalidValue(`${field}.serverConfig.cni`, '', 'must be specified when cniMultusEnable is true')]
      : []),
    ...(lacksAddress
      ? [
          invalidValue(
            `${field}.registrationAddress`,
            '',
            "registrationAddress must be supplied when using registration method 'address'",
          ),
        ]
      : []),
    ...(moved
      ? [invalidValue(`${field}.registrationMethod`, registrationMethod, 'field value is immutable once set')]
      : []),
  ];
};

/** The bootstrap provider's defaults. */
export const defaultRke2Config = <T extends { agentConfig?: Rke2AgentConfig }>(spec: T): T => ({
  ...spec,
  agentConfig: { format: 'cloud-config', ...spec.agentConfig },
});

const UNSUPPORTED: Unsupported<Rke2ConfigSpec> = {
  // Upstream also has this field, and does not use it.
  'agentConfig.nodeName': ({ agentConfig }) => agentConfig?.nodeName,
};

export const warnRke2Config = (spec: Rke2ConfigSpec | undefined, prefix: string): string[] =>
  spec ? warnUnsupported(UNSUPPORTED, spec, prefix) : [];
