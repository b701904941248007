import { posix } from 'node:path';
import type { FileSystem } from '../user-data/file-system.ts';
import type { AuditSettings } from '../workload-cluster/audit/webhook.ts';
import { KubeadmError } from './error.ts';
import { duration, isFields } from './fields.ts';

/** Arguments of kube-apiserver, without dashes; the last value of a name is used. */
type Flags = Readonly<Record<string, string>>;

const COMMAND = '/spec/containers/0/command/-';

/** The arguments that a JSON patch adds to the static pod. Other patches change nothing that is simulated. */
const addedBy = (content: string): string[] => {
  const operations: unknown = JSON.parse(content);
  if (!Array.isArray(operations)) throw new Error('a JSON patch is a list');
  return operations.flatMap((one: unknown) =>
    isFields(one) && one.op === 'add' && one.path === COMMAND && typeof one.value === 'string' ? [one.value] : [],
  );
};

const flagOf = (argument: string): [string, string] => {
  const [, name = '', value = 'true'] = /^--([^=]+)(?:=(.*))?$/s.exec(argument) ?? [];
  return [name, value];
};

const isOwn = (path: string): boolean => /\/kube-apiserver[^/]*\+json\.json$/.test(path);

/** The arguments that the patches in a folder add to the API server. */
const patchedArguments = (files: FileSystem, directory: string): string[] =>
  files
    .list(`${posix.normalize(directory)}/`)
    .filter(isOwn)
    .flatMap((path) => {
      try {
        return addedBy(files.read(path) ?? '');
      } catch (error) {
        throw new KubeadmError(`error execution phase control-plane/apiserver: ${path}: ${String(error)}`);
      }
    });

/** The arguments of the API server of a machine. Throws KubeadmError for a patch that is not JSON. */
export const flagsOf = (
  files: FileSystem,
  given: { args: readonly { name: string; value: string }[]; patches: string | undefined },
): Flags => ({
  ...Object.fromEntries(given.args.map(({ name, value }) => [name, value])),
  ...Object.fromEntries((given.patches === undefined ? [] : patchedArguments(files, given.patches)).map(flagOf)),
});

const DEFAULTS = { buffer: '10000', batch: '400', wait: '30s', burst: '15', perSecond: '10' };

const readFile = (files: FileSystem, path: string): string => {
  const content = files.read(path);
  if (content === undefined) throw new KubeadmError(`kube-apiserver: open ${path}: no such file or directory`);
  return content;
};

/** The audit webhook in the flags; undefined if there is none. Throws KubeadmError if a file does not exist. */
export const auditSettings = (files: FileSystem, flags: Flags): AuditSettings | undefined => {
  const [policy, webhook] = [flags['audit-policy-file'], flags['audit-webhook-config-file']];
  if (policy === undefined || webhook === undefined) return undefined;
  const mode = flags['audit-webhook-mode'] ?? 'batch';
  if (mode !== 'batch') throw new KubeadmError(`kube-apiserver: the simulated one has no audit-webhook-mode=${mode}`);
  const flag = (name: string, usual: string): string => flags[`audit-webhook-batch-${name}`] ?? usual;
  return {
    policy: readFile(files, policy),
    webhook: readFile(files, webhook),
    buffer: Number(flag('buffer-size', DEFAULTS.buffer)),
    batch: Number(flag('max-size', DEFAULTS.batch)),
    wait: duration({ wait: flag('max-wait', DEFAULTS.wait) }, 'wait') ?? 0,
    burst: Number(flag('throttle-burst', DEFAULTS.burst)),
    perSecond: Number(flag('throttle-qps', DEFAULTS.perSecond)),
  };
};
