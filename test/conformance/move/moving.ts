/**
 * Functions for the suites about moving clusters: clusterctl, a laptop's kubeconfig as a file, and filters for calls
 * that change an account.
 */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CLUSTERCTL_ENVIRONMENT } from '../../../infra/cli/conformance/clusterctl.ts';
import { kubeconfigText } from '../../../infra/cli/kubeconfig/kubeconfig.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { conditionOf, type TestLaptop } from '../../end-to-end/laptop.ts';
import { must } from '../quickstart/windlass.ts';

const scratch = mkdtempSync(join(tmpdir(), 'windlass-move-'));

/** Creates an empty directory for objects. */
export const newDirectory = (): string => mkdtempSync(join(scratch, 'objects-'));

const kubeconfigOf = ({ access }: TestLaptop): string => {
  const file = join(mkdtempSync(join(scratch, 'access-')), 'kubeconfig');
  writeFileSync(file, kubeconfigText(access), { mode: 0o600 });
  return file;
};

const clusterctlMove = (...args: string[]) => must('clusterctl', ['move', ...args], CLUSTERCTL_ENVIRONMENT);

/** Moves the objects of all clusters from the server to a new directory. */
export const moveAway = async (from: TestLaptop | string): Promise<string> => {
  const directory = newDirectory();
  const kubeconfig = typeof from === 'string' ? from : kubeconfigOf(from);
  await clusterctlMove('--to-directory', directory, '--kubeconfig', kubeconfig);
  return directory;
};

/** Moves the objects in a directory to a server. */
export const moveHere = async (directory: string, to: TestLaptop | string): Promise<void> => {
  const kubeconfig = typeof to === 'string' ? to : kubeconfigOf(to);
  await clusterctlMove('--from-directory', directory, '--to-kubeconfig', kubeconfig);
};

export const readObjects = (directory: string): KubeObject[] =>
  readdirSync(directory).map((file) => parse(readFileSync(join(directory, file), 'utf8')) as KubeObject);

/** Waits until a cluster is Available, this many machines are Running, and no rollout is in progress. */
export const untilAtRest = (laptop: TestLaptop, cluster: string, machines: number): Promise<unknown> =>
  laptop.until(`${cluster} is Available with ${machines} machines Running`, async () => {
    const found = await laptop.machines(cluster);
    const isRunning = found.every(({ status }) => status?.phase === 'Running');
    if (found.length !== machines || !isRunning) return false;
    const object = await laptop.cluster(cluster);
    const isAvailable = conditionOf(object, 'Available')?.status === 'True';
    return isAvailable && conditionOf(object, 'RollingOut')?.status === 'False';
  });

const IS_READ = /^(Describe|Get|List|Head|Query|BatchGet|Decrypt|GenerateDataKey|Assume)/;
/** Calls to the table, the workflows and the key of the stack itself. */
const IS_OURS = /^(PutItem|UpdateItem|DeleteItem|StartExecution|CreateTable|CreateKey|TagResource)$/;

/** The operations that change resources of clusters, without duplicates. */
export const mutations = (operations: readonly string[]): string[] =>
  [...new Set(operations)].filter((operation) => !IS_READ.test(operation) && !IS_OURS.test(operation)).sort();
