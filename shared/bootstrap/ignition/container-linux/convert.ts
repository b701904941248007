import { emptyConfig, type IgnitionConfig, type Unit, type User } from '../config.ts';
import type { Findings } from './read.ts';
import type { ContainerLinuxConfig } from './schema.ts';
import { resource, storageConfig } from './storage.ts';
import { dockerUnits, updateFiles } from './updates.ts';

type Systemd = NonNullable<ContainerLinuxConfig['systemd']>;
type Passwd = NonNullable<ContainerLinuxConfig['passwd']>;

const unit = ({ enable, enabled, ...rest }: NonNullable<Systemd['units']>[number]): Unit => ({
  ...rest,
  enabled: enabled ?? (enable || undefined),
});

const user = (item: NonNullable<Passwd['users']>[number], index: number, { problems }: Findings): User => {
  if (item.create !== undefined) {
    problems.push(`passwd.users[${index}].create: is out of use; put its fields beside the name`);
  }
  return {
    name: item.name,
    uid: item.uid,
    gecos: item.gecos,
    groups: item.groups,
    homeDir: item.home_dir,
    noCreateHome: item.no_create_home,
    noLogInit: item.no_log_init,
    noUserGroup: item.no_user_group,
    passwordHash: item.password_hash,
    primaryGroup: item.primary_group,
    shell: item.shell,
    sshAuthorizedKeys: item.ssh_authorized_keys,
    system: item.system,
  };
};

const ownConfig = ({ ignition = {} }: ContainerLinuxConfig): Partial<IgnitionConfig> => ({
  append: (ignition.config?.append ?? []).map(resource),
  replace: ignition.config?.replace && resource(ignition.config.replace),
  timeouts: {
    httpResponseHeaders: ignition.timeouts?.http_response_headers,
    httpTotal: ignition.timeouts?.http_total,
  },
  certificateAuthorities: (ignition.security?.tls?.certificate_authorities ?? []).map(resource),
});

/** These use metadata of the machine. The transpiler leaves them to a service of the image. */
const refuseDynamic = ({ version = 0, etcd, flannel }: ContainerLinuxConfig, { problems }: Findings): void => {
  if (version !== 0) problems.push('version: only 0 exists');
  if (etcd !== undefined) problems.push('etcd: is not supported; write a drop-in for etcd-member.service');
  if (flannel !== undefined) problems.push('flannel: is not supported; write a drop-in for flanneld.service');
};

/** A Container Linux Config as an Ignition config; its errors are added to the findings. */
export const convert = (config: ContainerLinuxConfig, findings: Findings): IgnitionConfig => {
  refuseDynamic(config, findings);
  const storage = storageConfig(config.storage ?? {}, findings);
  return {
    ...emptyConfig(),
    ...ownConfig(config),
    ...storage,
    files: [...(storage.files ?? []), ...updateFiles(config, findings)],
    units: [...(config.systemd?.units ?? []).map(unit), ...dockerUnits(config)],
    networkUnits: config.networkd?.units ?? [],
    users: (config.passwd?.users ?? []).map((item, index) => user(item, index, findings)),
    groups: (config.passwd?.groups ?? []).map(({ name, gid, password_hash, system }) => ({
      name,
      gid,
      passwordHash: password_hash,
      system,
    })),
  };
};
