import { forbiddenField, invalidValue } from '../../../kube-api/field-error.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { ClusterConfiguration, ExtraArgs } from '../../schema/kubeadm-cluster.ts';
import type { BootstrapFile, BootstrapUser, KubeadmConfigSpec } from '../../schema/kubeadm-config-spec.ts';
import { versionOfTag } from './core-dns.ts';
import { validateIgnition } from './kubeadm-ignition.ts';

type DiskSetup = NonNullable<KubeadmConfigSpec['diskSetup']>;

/** Errors show refused values, so parts that may be secret are left out. */
const withoutContent = ({ content: _, ...rest }: BootstrapFile): unknown => rest;
const withoutPassword = ({ passwd: _, ...rest }: BootstrapUser): unknown => rest;

const validateFiles = (files: readonly BootstrapFile[], field: string): FieldError[] =>
  files.flatMap((file, index) => {
    const at = `${field}.files[${index}]`;
    const isTaken = files.slice(0, index).some(({ path }) => path === file.path);
    const conflict = 'only one of content or contentFrom may be specified for a single file';
    return [
      ...(file.content && file.contentFrom ? [invalidValue(at, withoutContent(file), conflict)] : []),
      ...(isTaken ? [invalidValue(`${at}.path`, file.path, 'path property must be unique among all files')] : []),
    ];
  });

const validateUsers = (users: readonly BootstrapUser[], field: string): FieldError[] =>
  users.flatMap((user, index) => {
    const conflict = 'only one of passwd or passwdFrom may be specified for a single user';
    return user.passwd && user.passwdFrom
      ? [invalidValue(`${field}.users[${index}]`, withoutPassword(user), conflict)]
      : [];
  });

const PARTITION_TYPE =
  /^(Linux|LinuxSwap|LinuxRAID|LVM|Fat32|NTFS|LinuxExtended|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$/;
const PARTITION_TYPES = 'Linux, LinuxSwap, LinuxRAID, LVM, Fat32, NTFS, LinuxExtended or a full GPT partition GUID';

const validateDisks = ({ partitions = [] }: DiskSetup, field: string): FieldError[] =>
  partitions.flatMap(({ layout, diskLayout = [] }, index) => {
    const at = `${field}.diskSetup.partitions[${index}]`;
    const total = diskLayout.reduce((sum, { percentage }) => sum + percentage, 0);
    const isOne = (layout === undefined) !== (diskLayout.length === 0);
    return [
      ...(isOne ? [] : [invalidValue(at, undefined, 'exactly one of the fields in [layout diskLayout] must be set')]),
      ...(total > 100
        ? [invalidValue(`${at}.diskLayout`, total, 'the sum of all partition percentages must not be greater than 100')]
        : []),
      ...diskLayout.flatMap(({ partitionType: type }, part) =>
        type === undefined || PARTITION_TYPE.test(type)
          ? []
          : [
              invalidValue(
                `${at}.diskLayout[${part}].partitionType`,
                type,
                `partitionType must be one of ${PARTITION_TYPES}`,
              ),
            ],
      ),
    ];
  });

const validateDiscovery = ({ joinConfiguration }: KubeadmConfigSpec, field: string): FieldError[] => {
  const user = joinConfiguration?.discovery?.file?.kubeConfig?.user;
  if (!user?.authProvider || !user.exec) return [];
  const at = `${field}.joinConfiguration.discovery.file.kubeconfig.user`;
  return [invalidValue(at, undefined, 'only one of authProvider or exec must be defined')];
};

const validateArgs = (args: ExtraArgs = [], field: string, detail: string): FieldError[] => {
  const names = args.map(({ name }) => name);
  return new Set(names).size === names.length ? [] : [invalidValue(field, undefined, `${detail} name must be unique`)];
};

const validateAllArgs = (spec: KubeadmConfigSpec, field: string): FieldError[] => {
  const { apiServer, controllerManager, scheduler, etcd } = spec.clusterConfiguration ?? {};
  const components = { apiServer, controllerManager, scheduler, 'etcd.local': etcd?.local };
  const nodes = { initConfiguration: spec.initConfiguration, joinConfiguration: spec.joinConfiguration };
  return [
    ...Object.entries(components).flatMap(([name, component]) =>
      validateArgs(component?.extraArgs, `${field}.clusterConfiguration.${name}.extraArgs`, 'extraArgs'),
    ),
    ...Object.entries(nodes).flatMap(([name, node]) => {
      const at = `${field}.${name}.nodeRegistration.kubeletExtraArgs`;
      return validateArgs(node?.nodeRegistration?.kubeletExtraArgs, at, 'kubeletExtraArgs');
    }),
  ];
};

/** Rules for kubeadm configuration in any object (CABPK's webhook); `field` is the path of the spec. */
export const validateKubeadmConfig = (spec: KubeadmConfigSpec | undefined, field: string): FieldError[] => [
  ...validateFiles(spec?.files ?? [], field),
  ...validateUsers(spec?.users ?? [], field),
  ...validateIgnition(spec ?? {}, field),
  ...validateDisks(spec?.diskSetup ?? {}, field),
  ...validateDiscovery(spec ?? {}, field),
  ...validateAllArgs(spec ?? {}, field),
];

/**
 * Rules for control planes and their templates: v1beta1 has one timeout for both, so they must be the same as long as
 * it is served.
 */
export const validateTimeouts = (spec: KubeadmConfigSpec | undefined, field: string): FieldError[] => {
  const name = 'controlPlaneComponentHealthCheckSeconds';
  const shown = (part: 'initConfiguration' | 'joinConfiguration'): string =>
    String(spec?.[part]?.timeouts?.[name] ?? 'unset');
  const [init, join] = [shown('initConfiguration'), shown('joinConfiguration')];
  if (init === join) return [];
  const detail = `${name} must be set to the same value both in initConfiguration.timeouts (${init}) and in joinConfiguration.timeouts (${join})`;
  return [
    invalidValue(`${field}.initConfiguration.timeouts.${name}`, init, detail),
    invalidValue(`${field}.joinConfiguration.timeouts.${name}`, join, detail),
  ];
};

/** A tag that an earlier release has admitted is accepted. */
const validateDnsTag = (tag: string | undefined, before: string | undefined, field: string): FieldError[] =>
  !tag || tag === before || versionOfTag(tag) ? [] : [invalidValue(field, tag, 'failed to parse CoreDNS version')];

const NOT_IN_A_TAG = /[^-a-zA-Z0-9_.]/;

/** Rules for the settings that the control plane shares (KCP's webhook); `old` is undefined on create. */
export const validateClusterConfiguration = (
  next: ClusterConfiguration = {},
  old: ClusterConfiguration | undefined,
  field: string,
): FieldError[] => {
  const tags = { 'dns.imageTag': next.dns?.imageTag, 'etcd.local.imageTag': next.etcd?.local?.imageTag };
  const hasSwitched = old !== undefined && (old.etcd?.external === undefined) !== (next.etcd?.external === undefined);
  return [
    ...Object.entries(tags).flatMap(([name, tag]) =>
      tag !== undefined && NOT_IN_A_TAG.test(tag) ? [forbiddenField(`${field}.${name}`, `tag ${tag} is invalid`)] : [],
    ),
    ...validateDnsTag(next.dns?.imageTag, old?.dns?.imageTag, `${field}.dns.imageTag`),
    ...(next.etcd?.local && next.etcd.external
      ? [forbiddenField(`${field}.etcd.local`, 'cannot have both external and local etcd')]
      : []),
    ...(hasSwitched ? [forbiddenField(`${field}.etcd.external`, 'cannot change between external and local etcd')] : []),
  ];
};
