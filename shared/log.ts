/** Keys that identify the subject of a log line. They are bound once and printed with every line. */
export type LogKeys = Readonly<Record<string, string | number | boolean | undefined>>;

/** Logs are for operators; users read conditions and events. A line is a fixed sentence plus keys. */
export interface Log {
  info(sentence: string, keys?: LogKeys): void;
  warn(sentence: string, keys?: LogKeys): void;
  error(sentence: string, keys?: LogKeys): void;
  /** A log whose lines all carry `keys`. */
  with(keys: LogKeys): Log;
}

type Level = 'INFO' | 'WARN' | 'ERROR';

/** A log that writes one JSON object per line to `write`. Values are identifiers and numbers, never objects or secrets. */
export const jsonLog = (write: (line: string) => void, bound: LogKeys = {}): Log => {
  const at =
    (level: Level) =>
    (sentence: string, keys: LogKeys = {}) =>
      write(JSON.stringify({ level, message: sentence, ...bound, ...keys }));
  return {
    info: at('INFO'),
    warn: at('WARN'),
    error: at('ERROR'),
    with: (keys) => jsonLog(write, { ...bound, ...keys }),
  };
};

/** A log that discards everything. */
export const silentLog: Log = jsonLog(() => {});
