declare module 'asl-validator' {
  export default function validate(
    definition: unknown,
    options?: { checkArn?: boolean; checkPaths?: boolean },
  ): { isValid: boolean; errorsText: (separator?: string) => string };
}
