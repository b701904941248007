import type { Scenario } from '../scenario.ts';
import { AS_PARTIAL_LIST, get, mergePatch, post, remove, send } from './requests.ts';
import type { Subject } from './subjects.ts';

/** URLs that no client library builds, but that people and scripts do. */

const rootOf = (collection: string): string => collection.slice(0, collection.indexOf('/namespaces'));

/** Paths with encoded slashes, or with too many slashes. */
export const paths = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is requested with unusual paths`,
  steps: (namespace) => {
    const all = collection(namespace);
    return [
      post(all, object('one')),
      ...[
        `/${all}`,
        all.replace('/namespaces', '//namespaces'),
        all.replace(`/${namespace}`, `//${namespace}`),
        `${all}//one`,
        `${all}//`,
        `${all}/one//`,
        `${all}/one%2F`,
        `${all}%2Fone`,
        `${all}/%6Fne`,
        `${all}/one%2Fstatus`,
        `${all}/a%2F..%2Fone`,
        all.replaceAll('/', '%2F').replace('%2F', '/'),
        all.replace('/api', '/%61pi'),
        `${all}/one%22`,
        `${all}/%00`,
        `${all}/%`,
        `${all}/one%2`,
        '//',
        '/apis//',
        '/api//v1',
        '//version',
        '/API/v1',
        `${rootOf(all)}//`,
      ].map((path) => get(path)),
      get(`${collection('')}?fieldSelector=metadata.namespace%3D${namespace}`, AS_PARTIAL_LIST),
      post(`/${all}`, object('two')),
      send('DELETE', `${all}//one`),
      mergePatch(`/${all}/one`, {}),
      get(all),
    ];
  },
});

export const parameters = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is requested with parameters that Go drops`,
  steps: (namespace) => {
    const all = collection(namespace);
    return [
      post(all, object('one', { labels: { a: 'b' } })),
      get(`${all}?labelSelector=a%3Dc%3B`),
      get(`${all}?%3Bb&limit=x`),
      get(`${all}?&&labelSelector=a%3Dc&&`),
      get(`${all}?limit=x;y`),
      post(`${all}?fieldManager=x&dryRun=Some;x`, object('one')),
      remove(`${all}?labelSelector=%zz`),
    ];
  },
});

export const dots = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: is requested with dots in the path`,
  steps: (namespace) => {
    const all = collection(namespace);
    return [
      post(all, object('one')),
      ...[`${all}/./one`, `${all}/x/../one`, `${all}/.`, `${all}/..`, `${all}/%2E`, '/./healthz'].map((path) =>
        get(path),
      ),
    ];
  },
});
