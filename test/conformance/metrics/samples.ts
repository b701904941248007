/** Samples in Prometheus' text format, in a form that is equal for two renderers of the same samples. */

const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** `name{labels sorted by name} number`, one for each sample of the text, sorted. */
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

/** The names of the metrics with a help text, sorted. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(/^# HELP (\w+) /gm)].map(([, name = '']) => name).toSorted();
