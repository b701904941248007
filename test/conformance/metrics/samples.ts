/** Parses Prometheus' text format into samples that are equal if two programs render the same values. */

const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** The samples of the text, sorted, each as `name{labels sorted by name} number`. */
export const samplesIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)\{(.*)\} (\S+)$/.exec(line) ?? [];
      if (name === '') throw new Error(`not a sample: ${line}`);
      const sorted = [...labels.matchAll(LABEL)].map(([label]) => label).toSorted();
      return `${name}{${sorted.join(',')}} ${Number(value)}`;
    })
    .toSorted();

/** The names of the metrics that have a help text, sorted. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(/^# HELP (\w+) /gm)].map(([, name = '']) => name).toSorted();
