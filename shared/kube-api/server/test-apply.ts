import { type createTestServer, PATH } from './test-server.ts';

type TestServer = Awaited<ReturnType<typeof createTestServer>>;

/** For tests only: short forms for repeated steps in tests of server-side apply. */

export const APPLY = { 'content-type': 'application/apply-patch+yaml' };
export const MERGE = { 'content-type': 'application/merge-patch+json' };

export const config = (spec: object, metadata: object = {}) => ({
  apiVersion: 'toys.windlass.dev/v1beta2',
  kind: 'Gizmo',
  metadata: { name: 'one', ...metadata },
  spec,
});

/** Applies to the server that `serverOf` gives when it is called. */
export const applierTo =
  (serverOf: () => TestServer) =>
  (manager: string, body: unknown, { path = `${PATH}/one`, query = '' } = {}) =>
    serverOf().call('PATCH', `${path}?fieldManager=${manager}${query}`, body, APPLY);

/** `name operation` of each manager of a returned object. */
export const managers = ({
  body,
}: {
  body: { metadata: { managedFields?: { manager: string; operation: string }[] } };
}) => (body.metadata.managedFields ?? []).map(({ manager, operation }) => `${manager} ${operation}`);
