import * as z from 'zod';

/**
 * Container Linux Config, the YAML of `additionalConfig`, with the fields of version 0.9 of its transpiler. Scalars are
 * texts here, as written in the document, because it depends on the field whether `0644` is octal and whether `yes` is
 * a word.
 */

const text = z.string();

const flag = text.transform((word, context) => {
  if (/^(true|True|TRUE|yes|Yes|YES|on|On|ON|y|Y)$/.test(word)) return true;
  if (/^(false|False|FALSE|no|No|NO|off|Off|OFF|n|N)$/.test(word)) return false;
  context.addIssue('must be true or false');
  return z.NEVER;
});

const int = text.transform((word, context) => {
  if (/^0o?[0-7]+$/.test(word)) return Number.parseInt(word.replace('o', ''), 8);
  if (/^[+-]?\d+$/.test(word) || /^0x[0-9a-fA-F]+$/.test(word)) return Number(word);
  context.addIssue('must be a whole number');
  return z.NEVER;
});

const UNITS: Readonly<Record<string, number>> = { B: 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40, P: 2 ** 50 };

/** `512MiB`, `10GB`: both units are powers of two, and the result is in whole MiB. */
const mebibytes = text.transform((word, context) => {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(B|[KMGTP]i?B)$/.exec(word) ?? [];
  const size = (Number(number) * (UNITS[unit.charAt(0)] ?? Number.NaN)) / 2 ** 20;
  if (Number.isInteger(size)) return size;
  context.addIssue('must be a size in whole MiB, such as 512MiB');
  return z.NEVER;
});

/** An empty value counts as absent. */
const fields = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).partial();
const list = <Item extends z.ZodType>(item: Item) => z.array(item).optional();

const verification = fields({ hash: fields({ function: text, sum: text }) });
const reference = fields({ source: text, verification }).required({ source: true });
const owner = fields({ id: int, name: text });
const node = { filesystem: text, path: text, user: owner, group: owner, overwrite: flag };

const file = fields({
  ...node,
  mode: int,
  append: flag,
  contents: fields({
    inline: z.union([text, z.instanceof(Uint8Array)]),
    local: text,
    remote: fields({ url: text, compression: z.enum(['', 'gzip']), verification }),
  }),
}).required({ path: true });

const partition = fields({
  label: text,
  number: int,
  size: mebibytes,
  start: mebibytes,
  guid: text,
  type_guid: text,
});

const filesystem = fields({
  name: text,
  path: text,
  mount: fields({
    device: text,
    format: text,
    create: fields({ force: flag, options: list(text) }),
    wipe_filesystem: flag,
    label: text,
    uuid: text,
    options: list(text),
  }).required({ device: true, format: true }),
});

const dropin = fields({ name: text, contents: text }).required({ name: true });

const user = fields({
  name: text,
  password_hash: text,
  ssh_authorized_keys: list(text),
  create: z.unknown(),
  uid: int,
  gecos: text,
  home_dir: text,
  no_create_home: flag,
  primary_group: text,
  groups: list(text),
  no_user_group: flag,
  system: flag,
  no_log_init: flag,
  shell: text,
}).required({ name: true });

const storage = fields({
  disks: list(fields({ device: text, wipe_table: flag, partitions: list(partition) }).required({ device: true })),
  raid: list(
    fields({ name: text, level: text, devices: list(text), spares: int, options: list(text) }).required({
      name: true,
      level: true,
    }),
  ),
  filesystems: list(filesystem),
  files: list(file),
  directories: list(fields({ ...node, mode: int }).required({ path: true })),
  links: list(fields({ ...node, target: text, hard: flag }).required({ path: true, target: true })),
});

const unit = fields({
  name: text,
  enable: flag,
  enabled: flag,
  mask: flag,
  contents: text,
  dropins: list(dropin),
}).required({ name: true });

export const containerLinuxConfig = fields({
  version: int,
  ignition: fields({
    config: fields({ append: list(reference), replace: reference }),
    timeouts: fields({ http_response_headers: int, http_total: int }),
    security: fields({ tls: fields({ certificate_authorities: list(reference) }) }),
  }),
  storage,
  systemd: fields({ units: list(unit) }),
  networkd: fields({
    units: list(fields({ name: text, contents: text, dropins: list(dropin) }).required({ name: true })),
  }),
  passwd: fields({
    users: list(user),
    groups: list(fields({ name: text, gid: int, password_hash: text, system: flag }).required({ name: true })),
  }),
  docker: fields({ flags: list(text) }),
  update: fields({
    group: text,
    server: text,
    pcr_policy_server: text,
    download_user: text,
    download_password: text,
    machine_alias: text,
  }),
  locksmith: fields({
    reboot_strategy: z.string().regex(/^(reboot|etcd-lock|off)?$/i, 'must be reboot, etcd-lock or off'),
    window_start: text,
    window_length: text,
    group: text,
    etcd_endpoints: text,
    etcd_cafile: text,
    etcd_certfile: text,
    etcd_keyfile: text,
  }),
  etcd: z.unknown(),
  flannel: z.unknown(),
});

export type ContainerLinuxConfig = z.output<typeof containerLinuxConfig>;
