/**
 * Replaces @aws-crypto/branch-keystore-node in the bundles. The Encryption SDK's KMS package imports it for
 * hierarchical keyrings, which Windlass does not use, and with it the complete DynamoDB client: 400 KB, and a tenth of
 * a second in every cold start of the functions that decrypt Secrets.
 */
export const isIBranchKeyStoreNode = (): boolean => false;
