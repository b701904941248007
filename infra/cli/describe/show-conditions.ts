import type { Row } from './rows.ts';

/**
 * Whether the conditions of an object are shown, according to the value of --show-conditions: `all`, or kinds and
 * objects separated by commas (`Machine,KubeadmControlPlane/demo-cp`), as clusterctl describe accepts it.
 */
export const makeShowConditions = (value: string | undefined): ((row: Row) => boolean) => {
  const wanted = new Set(
    (value ?? '')
      .split(',')
      .map((entry) => entry.trim().toLowerCase())
      .filter(Boolean),
  );
  return ({ object }) => {
    const [kind = '', name = ''] = object.toLowerCase().split(' ');
    return wanted.has('all') || wanted.has(kind) || wanted.has(`${kind}/${name}`);
  };
};
