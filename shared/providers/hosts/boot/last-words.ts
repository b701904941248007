/** Programs in bootstrap data that are known to report what they do, and not what they were given. */
const SPEAKERS = [
  /^\[[\w-]+\]/,
  /^\s*\[(ERROR|WARNING) [\w-]+\]:/,
  /^error execution phase/,
  /^(kubeadm|rke2)-until-done:/,
  /^windlass:/,
  /^\[(INFO|WARN|ERROR|FATAL)\]/,
];

/** Words that cannot be a key, a token or a password of a machine: short, only letters, or known useful words. */
const HARMLESS = [
  /^[A-Za-z][a-z]{0,19}$/,
  /^[A-Z]{1,12}$/,
  /^\d{1,5}$/,
  /^v\d+\.\d+\.\d+([+-][a-z0-9.]{1,12})?$/,
  /^(\d{1,3}\.){3}\d{1,3}(:\d{1,5})?$/,
  /^(\/[a-z][a-z.-]{0,30}){1,8}$/,
  /^[a-z]{2,15}(-[a-z]{2,15}){1,4}$/,
  /^(FileAvailable|DirAvailable|Port|FileContent|Service|Firewalld)[\w/.-]{1,80}$/,
];

const MARK = /^[[("'`]+|[\])"'`.,:;!?]+$/g;

const shown = (word: string): string => {
  const bare = word.replace(MARK, '');
  return bare === '' || HARMLESS.some((pattern) => pattern.test(bare)) ? word : '…';
};

const LINES = 4;

/**
 * The last lines of known programs, without any word that may be a secret: a boot script contains keys and tokens, and
 * programs quote what they refuse (decision 27). Empty if no such program has written anything.
 */
export const lastWords = (output: string): string =>
  output
    .split('\n')
    .filter((line) => SPEAKERS.some((pattern) => pattern.test(line)))
    .slice(-LINES)
    .map((line) => line.trim().split(/\s+/).map(shown).join(' ').slice(0, 300))
    .join('; ');
