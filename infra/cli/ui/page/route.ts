/** The address determines the view, so that it can be bookmarked and the browser's Back button works. */

export type Route =
  | { view: 'fleet' }
  | { view: 'cluster'; namespace: string; name: string }
  | { view: 'object'; namespace: string; name: string; kind: string; object: string };

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that a user has typed is taken literally.
    return text;
  }
};

/** Reads the part of the address after `#`. An unknown one shows the fleet. */
export const readRoute = (hash: string): Route => {
  const [, view, namespace = '', name = '', kind = '', object = ''] = hash.replace(/^#/, '').split('/').map(decode);
  if (view !== 'clusters' || name === '') return { view: 'fleet' };
  return object === '' ? { view: 'cluster', namespace, name } : { view: 'object', namespace, name, kind, object };
};

export const FLEET = '#/';

export const clusterAddress = (namespace: string, name: string): string =>
  `#/clusters/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;

/** `object` is a kind and a name with a space between them, as the tree and the problems name objects. */
export const objectAddress = (namespace: string, cluster: string, object: string): string =>
  `${clusterAddress(namespace, cluster)}/${object.split(' ').map(encodeURIComponent).join('/')}`;
