import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { readYaml } from '../../../decode/yaml.ts';
import { RefusedError } from '../../../errors.ts';

/** A file that the boot script writes. */
export interface BootFile {
  readonly path: string;
  readonly owner: string;
  readonly mode: string;
  readonly append: boolean;
  readonly content: Buffer;
}

/** What a host does for its bootstrap data, in this order. Each command is a text for a separate shell. */
export interface BootPlan {
  readonly before: string | undefined;
  readonly files: readonly BootFile[];
  readonly after: string | undefined;
}

const command = z.union([z.string(), z.array(z.union([z.string(), z.number(), z.boolean()]))]);
const commands = z.array(command).nullish();

const file = z.object({
  path: z.string().regex(/^\/[^\n]*$/),
  content: z.union([z.string(), z.number(), z.boolean()]).nullish(),
  encoding: z.string().nullish(),
  owner: z
    .string()
    .regex(/^[\w.-]+(:[\w.-]+)?$/)
    .nullish(),
  permissions: z.union([z.string().regex(/^0?o?[0-7]{3,4}$/), z.number()]).nullish(),
  append: z.boolean().nullish(),
});

/** What a host supports without cloud-init. Anything else is refused by name. */
const document = z.object({ write_files: z.array(file).nullish(), bootcmd: commands, runcmd: commands });

const KNOWN: readonly string[] = Object.keys(document.shape);

const refuse = (why: string): never => {
  throw new RefusedError(`bootstrap data: ${why}`);
};

const contentOf = ({ content, encoding, path }: z.output<typeof file>): Buffer => {
  const text = String(content ?? '');
  switch ((encoding ?? '').toLowerCase().trim()) {
    case '':
    case 'text/plain':
      return Buffer.from(text, 'utf8');
    case 'b64':
    case 'base64':
      return Buffer.from(text, 'base64');
    case 'gz+base64':
    case 'gzip+base64':
    case 'gz+b64':
    case 'gzip+b64':
      return gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: 16 * 1024 * 1024 });
    default:
      return refuse(`write_files: the encoding of ${path} must be base64 or gzip+base64 on hosts`);
  }
};

/** YAML 1.1 reads `0644` as an octal number. */
const modeOf = (permissions: string | number | null | undefined): string =>
  typeof permissions === 'number' ? permissions.toString(8).padStart(4, '0') : (permissions ?? '0644').replace('o', '');

const quote = (word: string | number | boolean): string => `'${String(word).replaceAll("'", "'\\''")}'`;

const scriptOf = (list: z.output<typeof commands>): string | undefined =>
  list && list.length > 0
    ? `${list.map((one) => (typeof one === 'string' ? one : one.map(quote).join(' '))).join('\n')}\n`
    : undefined;

/**
 * Parses a cloud-config document as a plan for a host. cloud-init is not needed and not run: a second first boot would
 * give the host new keys and users. Throws a RefusedError that names what is not supported and quotes no value.
 */
export const readCloudConfig = (text: string): BootPlan => {
  if (!/^\s*#cloud-config\b/.test(text))
    refuse('is not cloud-config; hosts take the format cloud-config alone, not Ignition and not MIME archives');
  const raw = readYaml(text, { version: '1.1' }) ?? {};
  if (typeof raw !== 'object' || Array.isArray(raw)) return refuse('is not a map');
  const others = Object.keys(raw).filter((key) => !KNOWN.includes(key));
  if (others.length > 0)
    refuse(`${others.join(', ')} cannot be applied to hosts that exist; only ${KNOWN.join(', ')} can`);
  const { data, error } = document.safeParse(raw);
  if (!data)
    return refuse(`${error.issues.map(({ path }) => path.join('.')).join(', ')} is not as cloud-init expects it`);
  const files = (data.write_files ?? []).map((one) => ({
    path: one.path,
    owner: one.owner ?? 'root:root',
    mode: modeOf(one.permissions),
    append: one.append ?? false,
    content: contentOf(one),
  }));
  return { before: scriptOf(data.bootcmd), files, after: scriptOf(data.runcmd) };
};
