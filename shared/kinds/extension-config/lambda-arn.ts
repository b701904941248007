const LAMBDA_ARN =
  /^arn:aws[a-z-]*:lambda:[a-z]{2}(-[a-z]+)+-\d:\d{12}:function:[A-Za-z0-9_-]{1,64}(:[A-Za-z0-9_$-]{1,128})?$/;

/** Whether the URL of an extension is the complete ARN of a Lambda function, with or without a version or an alias. */
export const isLambdaArn = (url: string): boolean => LAMBDA_ARN.test(url);
