import type { BootLog } from '../boot-log.ts';
import type { Waiting } from '../kubeadm/wait.ts';
import type { Instance, SecretChunks } from '../ports.ts';
import { fetchSecrets, readSecretFetch } from './boothook.ts';
import { type CloudConfig, mergeCloudConfig, parseCloudConfig } from './cloud-config.ts';
import { type FileSystem, writeEntry } from './file-system.ts';
import { instanceData } from './instance-data.ts';
import { type InterpreterOptions, makeInterpreter } from './interpret.ts';
import { type Part, splitUserData } from './parts.ts';
import { renderTemplate } from './template.ts';

export interface UserDataOptions {
  instance: Instance;
  secrets: SecretChunks;
  files: FileSystem;
  log: BootLog;
  kubeadm: InterpreterOptions['kubeadm'];
  install: InterpreterOptions['install'];
  rke2: InterpreterOptions['rke2'];
  answers: InterpreterOptions['answers'];
  units?: InterpreterOptions['units'];
  isInService?: InterpreterOptions['isInService'];
  waiting: Waiting;
}

/** The maximum nesting of templates and includes. */
const MAX_DEPTH = 5;

/** The content of the parts, after templates, secrets and includes have been resolved. */
interface Collected {
  documents: Record<string, unknown>[];
  scripts: string[];
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const render = (part: Part, { instance, log }: UserDataOptions): string => {
  const { text, missing } = renderTemplate(part.content, instanceData(instance));
  if (missing.length > 0) {
    const names = missing.map((name) => `'${name}'`).join(', ');
    log.line('cloud-init', `[WARNING] Could not render jinja template variables in file 'part-001': ${names}`);
  }
  return text;
};

/** Resolves to the document that the boothook has fetched, as a part that includes it. */
const runBoothook = async (script: string, options: UserDataOptions): Promise<Part[]> => {
  const fetch = readSecretFetch(script);
  if (!fetch) {
    options.log.line('cloud-init', 'not executed on the simulated machine: cloud-boothook');
    return [];
  }
  await fetchSecrets(fetch, options);
  return [{ type: 'text/x-include-url', content: `file://${fetch.file}\n` }];
};

const include = async (content: string, options: UserDataOptions): Promise<Part[]> => {
  const parts: Part[] = [];
  for (const url of content.split('\n').map((line) => line.trim())) {
    if (url === '' || url.startsWith('#')) continue;
    const file = url.startsWith('file://') ? options.files.stat(url.slice('file://'.length)) : undefined;
    if (!file) throw new Error(`cannot include ${url}: only files on the machine can be included, and it is not there`);
    parts.push(...(await splitUserData(file.content)));
  }
  return parts;
};

/** The content of one part: itself, or the result of a template or an include. */
const collectPart = async (part: Part, options: UserDataOptions, depth: number): Promise<Collected> => {
  switch (part.type) {
    case 'text/cloud-config':
      return { documents: [parseCloudConfig(part.content)], scripts: [] };
    case 'text/x-shellscript':
      return { documents: [], scripts: [part.content] };
    case 'text/jinja2':
      return collect(await splitUserData(Buffer.from(render(part, options))), options, depth + 1);
    case 'text/x-include-url':
      return collect(await include(part.content, options), options, depth + 1);
    default:
      options.log.line('cloud-init', `[WARNING] Unhandled non-multipart (${part.type}) userdata: ignored`);
      return { documents: [], scripts: [] };
  }
};

/** Boothooks come first: cloud-init runs them as soon as it finds them, before any include can need their results. */
const collect = async (parts: readonly Part[], options: UserDataOptions, depth = 0): Promise<Collected> => {
  if (depth > MAX_DEPTH) throw new Error('user data includes itself');
  const found: Collected = { documents: [], scripts: [] };
  const isBoothook = (part: Part): boolean => part.type === 'text/cloud-boothook';
  const fetched: Part[] = [];
  for (const part of parts.filter(isBoothook)) fetched.push(...(await runBoothook(part.content, options)));
  const others = parts.filter((candidate) => !isBoothook(candidate));
  // Without a part that includes it, cloud-init reads the document as configuration.
  const isIncluded = others.some(({ type }) => type === 'text/x-include-url');
  for (const part of isIncluded ? others : [...fetched, ...others]) {
    const { documents, scripts } = await collectPart(part, options, depth);
    found.documents.push(...documents);
    found.scripts.push(...scripts);
  }
  return found;
};

const writeFiles = (config: CloudConfig, { files, log }: UserDataOptions): void => {
  for (const entry of config.files) {
    writeEntry(files, entry);
    log.line('cloud-init', `wrote ${entry.path}`);
  }
};

const execute = async (collected: Collected, options: UserDataOptions): Promise<void> => {
  const config = mergeCloudConfig(collected.documents);
  const interpreter = makeInterpreter(options);
  for (const module of config.otherModules) {
    options.log.line('cloud-init', `not executed on the simulated machine: module ${module}`);
  }
  await interpreter.runTogether(config.bootCommands);
  writeFiles(config, options);
  await interpreter.runTogether(config.runCommands);
  for (const script of collected.scripts) await interpreter.run(script);
};

/**
 * Does with user data (base64, as EC2 stores it) what cloud-init does at a first boot. As on a real machine, errors
 * appear only in the boot log: the promise resolves in any case, unless kubeadm is aborted.
 */
export const runUserData = async (userData: string, options: UserDataOptions): Promise<void> => {
  const { log } = options;
  let collected: Collected;
  try {
    collected = await collect(await splitUserData(Buffer.from(userData, 'base64')), options);
  } catch (error) {
    return log.line('cloud-init', `[ERROR] failed to process user-data: ${reasonOf(error)}`);
  }
  if (collected.documents.length + collected.scripts.length === 0) {
    return log.line('cloud-init', 'no cloud-config and no script in the user data: nothing to do');
  }
  try {
    await execute(collected, options);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    log.line('cloud-init', `[ERROR] ${reasonOf(error)}`);
  }
};
