/** One line of a function's log that is about a cluster. Pure. */

export interface LogLine {
  /** RFC 3339. */
  time: string;
  level: string;
  /** `cluster-objects`. */
  functionName: string;
  /** The keys of the line, with its message. */
  keys: Readonly<Record<string, unknown>>;
}

/** Keys that every line has, or that are shown in another form. */
const KNOWN: ReadonlySet<string> = new Set([
  'audit',
  'cluster',
  'cold_start',
  'function',
  'function_arn',
  'function_memory_size',
  'function_name',
  'function_request_id',
  'level',
  'machine',
  'message',
  'namespace',
  'sampling_rate',
  'service',
  'step',
  'timestamp',
  'uid',
  'xray_trace_id',
]);

/** Parses a JSON line; undefined for other lines, such as Lambda's own START and END. */
export const readLine = (text: string, functionName: string): LogLine | undefined => {
  try {
    const keys = JSON.parse(text) as Record<string, unknown>;
    return { time: String(keys.timestamp ?? ''), level: String(keys.level ?? 'INFO'), functionName, keys };
  } catch {
    return undefined;
  }
};

/** Whether a line is about a cluster: a step of its workflows, or a request for an object with that name. */
export const concerns =
  ({ namespace, name }: { namespace: string; name: string }) =>
  ({ keys }: LogLine): boolean =>
    keys.namespace === namespace && (keys.cluster === name || (keys.resource === 'clusters' && keys.name === name));

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A readable line: time, function and step, the machine, the message, and all other keys. */
export const lineText = ({ time, level, functionName, keys }: LogLine): string => {
  const { step, machine, message } = keys;
  const rest = Object.entries(keys)
    .filter(([key, value]) => !KNOWN.has(key) && value !== undefined)
    .map(([key, value]) => `${key}=${shown(value)}`);
  const place = step === undefined ? functionName : `${functionName}/${step}`;
  const subject = machine === undefined ? [] : [`Machine ${machine}`];
  return [time, level.padEnd(5), place, ...subject, shown(message), ...rest].join('  ');
};
