import { createHash } from 'node:crypto';
import type { AWSMachinePool } from '../../../kinds/index.ts';
import type { DesiredTemplate } from './model.ts';

/**
 * The entry in an AWSMachinePool's record with the latest version of its launch template that Windlass has created. The
 * description of the version in EC2 contains the same, so the loss of this entry only costs a call.
 */
const TEMPLATE = 'windlass.dev/launch-template';
/** The entry with the template for which instances were last replaced. */
const REFRESH = 'windlass.dev/instance-refresh';

export interface RecordedTemplate {
  id: string;
  version: number;
  digest: string;
  shape: string;
  /** The first version with this shape: instances with earlier versions must be replaced. */
  since: number;
}

export interface RecordedRefresh {
  id: string;
  /** The shape that the instances should get. */
  shape: string;
  /**
   * The first version with this shape when the refresh was recorded: a template that returns to an earlier shape starts
   * again with another version. 0 if it was an earlier template's; undefined in records of version 0.1.
   */
  since?: number | undefined;
}

/** Recorded instead of a shape, which has 16 characters: the refresh is cancelled, so it counts for no template. */
const CANCELLED = 'cancelled';

const wordsOf = ({ metadata }: AWSMachinePool, entry: string): string[] =>
  metadata.annotations?.[entry]?.split(' ') ?? [];

const withEntry = (pool: AWSMachinePool, entry: string, text: string): AWSMachinePool | undefined =>
  pool.metadata.annotations?.[entry] === text
    ? undefined
    : { ...pool, metadata: { ...pool.metadata, annotations: { ...pool.metadata.annotations, [entry]: text } } };

export const recordedTemplate = (pool: AWSMachinePool): RecordedTemplate | undefined => {
  const [id, version, digest, shape, since] = wordsOf(pool, TEMPLATE);
  return id && digest && shape ? { id, version: Number(version), digest, shape, since: Number(since) } : undefined;
};

/** Undefined if it is already recorded. */
export const withTemplate = (
  pool: AWSMachinePool,
  { id, version, digest, shape, since }: RecordedTemplate,
): AWSMachinePool | undefined => withEntry(pool, TEMPLATE, `${id} ${version} ${digest} ${shape} ${since}`);

/**
 * The client token of a launch template, or of a version of the template `templateId`. It is derived from the record,
 * so that a call that is repeated after a lost response, or before a read shows its result, creates nothing more. Later
 * creations get another token, even if they are equal.
 */
export const templateToken = (
  pool: AWSMachinePool,
  { name, data, userData, tags, digest, shape }: DesiredTemplate,
  templateId = '',
): string => {
  const { id = '', version = 0 } = recordedTemplate(pool) ?? {};
  const facts = [pool.metadata.uid, id, version, templateId, name, data, userData, tags, digest, shape];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
};

export const recordedRefresh = (pool: AWSMachinePool): RecordedRefresh | undefined => {
  const [id, shape, since] = wordsOf(pool, REFRESH);
  return id && shape ? { id, shape, ...(since ? { since: Number(since) } : {}) } : undefined;
};

const sinceOf = (pool: AWSMachinePool, shape: string): number => {
  const template = recordedTemplate(pool);
  return template?.shape === shape ? template.since : 0;
};

/** Undefined if it is already recorded. If `since` is absent, it is that of the recorded template. */
export const withRefresh = (
  pool: AWSMachinePool,
  { id, shape, since = sinceOf(pool, shape) }: RecordedRefresh,
): AWSMachinePool | undefined => withEntry(pool, REFRESH, `${id} ${shape} ${since}`);

/** The pool with a record that this refresh is cancelled: if the template returns to its shape, another one is started. */
export const withCancelledRefresh = (pool: AWSMachinePool, id: string): AWSMachinePool | undefined =>
  withRefresh(pool, { id, shape: CANCELLED });

/** Whether the instances have been replaced for this template, or are being replaced. */
export const isRefreshFor = (
  refresh: RecordedRefresh | undefined,
  { shape, since }: Pick<RecordedTemplate, 'shape' | 'since'>,
): boolean => refresh?.shape === shape && (refresh.since ?? since) === since;
