/** The verb of RBAC for who brings things here that exist already: `windlass adopt` and `clusterctl move`. */
export const ADOPT = 'adopt';
