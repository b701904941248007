import * as z from 'zod';

/** The parts of Butane's variants `fcos` and `flatcar` that are supported in additions to a machine. */

const owner = z.strictObject({ id: z.int().optional(), name: z.string().optional() });

const resource = z
  .strictObject({
    inline: z.string(),
    source: z.string(),
    compression: z.enum(['', 'gzip']),
    verification: z.strictObject({ hash: z.string() }),
  })
  .partial()
  .refine(({ inline, source }) => (inline === undefined) !== (source === undefined), 'must have inline or source');

const node = {
  path: z.string(),
  user: owner.optional(),
  group: owner.optional(),
  overwrite: z.boolean().optional(),
};

const file = z.strictObject({
  ...node,
  mode: z.int().optional(),
  contents: resource.optional(),
  append: z.array(resource).optional(),
});

const directory = z.strictObject({ ...node, mode: z.int().optional() });
const link = z.strictObject({ ...node, target: z.string(), hard: z.boolean().optional() });

const unit = z.strictObject({
  name: z.string(),
  enabled: z.boolean().optional(),
  mask: z.boolean().optional(),
  contents: z.string().optional(),
  dropins: z.array(z.strictObject({ name: z.string(), contents: z.string().optional() })).optional(),
});

const user = z.strictObject({
  name: z.string(),
  uid: z.int().optional(),
  gecos: z.string().optional(),
  groups: z.array(z.string()).optional(),
  home_dir: z.string().optional(),
  no_create_home: z.boolean().optional(),
  no_log_init: z.boolean().optional(),
  no_user_group: z.boolean().optional(),
  password_hash: z.string().optional(),
  primary_group: z.string().optional(),
  shell: z.string().optional(),
  ssh_authorized_keys: z.array(z.string()).optional(),
  system: z.boolean().optional(),
});

const group = z.strictObject({
  name: z.string(),
  gid: z.int().optional(),
  password_hash: z.string().optional(),
  system: z.boolean().optional(),
});

export const butaneConfig = z.strictObject({
  variant: z.enum(['fcos', 'flatcar']),
  version: z.string().regex(/^1\.\d+\.\d+$/, 'must be a version 1 of the variant'),
  storage: z
    .strictObject({ files: z.array(file), directories: z.array(directory), links: z.array(link) })
    .partial()
    .optional(),
  systemd: z.strictObject({ units: z.array(unit).optional() }).optional(),
  passwd: z
    .strictObject({ users: z.array(user), groups: z.array(group) })
    .partial()
    .optional(),
});

export type ButaneConfig = z.infer<typeof butaneConfig>;
export type ButaneFile = z.infer<typeof file>;
export type ButaneResource = z.infer<typeof resource>;
export type ButaneUser = z.infer<typeof user>;
