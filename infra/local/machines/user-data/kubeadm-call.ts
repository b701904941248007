/** A `kubeadm init` or `kubeadm join` as the user data calls it. */
export interface KubeadmCall {
  verb: 'init' | 'join';
  /** The file that `--config` names, if any. */
  configPath: string | undefined;
  /** Flags other than `--config` and the verbosity, without their values. */
  otherFlags: string[];
  /** The phases that `--skip-phases` names. */
  skipPhases?: string[];
}

/** The last part of a path. */
export const baseName = (word: string): string => word.split('/').at(-1) ?? word;

const flagValue = (words: readonly string[], flag: string): string | undefined => {
  const at = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  return words[at] === flag ? words[at + 1] : words[at]?.slice(flag.length + 1);
};

/**
 * The kubeadm call in a command, even behind a wrapper (`sudo`, `timeout 600`). Undefined for any other command, and
 * for `kubeadm join phase …`, which the simulated machine does not support.
 */
export const kubeadmCallOf = (words: readonly string[]): KubeadmCall | undefined => {
  const at = words.findIndex(
    (word, index) => baseName(word) === 'kubeadm' && ['init', 'join'].includes(words[index + 1] ?? ''),
  );
  if (at < 0 || words[at + 2] === 'phase') return undefined;
  const rest = words.slice(at + 2);
  const skipped = flagValue(rest, '--skip-phases');
  return {
    ...(skipped === undefined ? {} : { skipPhases: skipped.split(',') }),
    verb: words[at + 1] as KubeadmCall['verb'],
    configPath: flagValue(rest, '--config'),
    otherFlags: rest
      .filter((word) => word.startsWith('--') && !/^--(config|v)\b/.test(word))
      .map((word) => word.split('=', 1)[0] ?? word),
  };
};
