import type { PriceList, RegionPrices } from './prices.ts';

/**
 * USD per hour by family and size: Linux, on demand, shared tenancy, in us-east-1. From AWS's price list of 2026-07-20;
 * only common families.
 */
const INSTANCES = `
t2       nano 0.0058  micro 0.0116  small 0.023  medium 0.0464  large 0.0928  xlarge 0.1856  2xlarge 0.3712
t3       nano 0.0052  micro 0.0104  small 0.0208  medium 0.0416  large 0.0832  xlarge 0.1664  2xlarge 0.3328
t3a      nano 0.0047  micro 0.0094  small 0.0188  medium 0.0376  large 0.0752  xlarge 0.1504  2xlarge 0.3008
t4g      nano 0.0042  micro 0.0084  small 0.0168  medium 0.0336  large 0.0672  xlarge 0.1344  2xlarge 0.2688
m5       large 0.096  xlarge 0.192  2xlarge 0.384  4xlarge 0.768  8xlarge 1.536  12xlarge 2.304
         16xlarge 3.072  24xlarge 4.608
m5a      large 0.086  xlarge 0.172  2xlarge 0.344  4xlarge 0.688  8xlarge 1.376  12xlarge 2.064
         16xlarge 2.752  24xlarge 4.128
m6a      large 0.0864  xlarge 0.1728  2xlarge 0.3456  4xlarge 0.6912  8xlarge 1.3824  12xlarge 2.0736
         16xlarge 2.7648  24xlarge 4.1472  32xlarge 5.5296  48xlarge 8.2944
m6g      medium 0.0385  large 0.077  xlarge 0.154  2xlarge 0.308  4xlarge 0.616  8xlarge 1.232  12xlarge 1.848
         16xlarge 2.464
m6i      large 0.096  xlarge 0.192  2xlarge 0.384  4xlarge 0.768  8xlarge 1.536  12xlarge 2.304
         16xlarge 3.072  24xlarge 4.608  32xlarge 6.144
m7a      medium 0.05796  large 0.11592  xlarge 0.23184  2xlarge 0.46368  4xlarge 0.92736  8xlarge 1.85472
         12xlarge 2.78208  16xlarge 3.70944  24xlarge 5.56416  32xlarge 7.41888  48xlarge 11.12832
m7g      medium 0.0408  large 0.0816  xlarge 0.1632  2xlarge 0.3264  4xlarge 0.6528  8xlarge 1.3056
         12xlarge 1.9584  16xlarge 2.6112
m7i      large 0.1008  xlarge 0.2016  2xlarge 0.4032  4xlarge 0.8064  8xlarge 1.6128  12xlarge 2.4192
         16xlarge 3.2256  24xlarge 4.8384  48xlarge 9.6768
m7i-flex large 0.09576  xlarge 0.19152  2xlarge 0.38304  4xlarge 0.76608  8xlarge 1.53216  12xlarge 2.29824
         16xlarge 3.06432
m8g      medium 0.04488  large 0.08976  xlarge 0.17952  2xlarge 0.35904  4xlarge 0.71808  8xlarge 1.43616
         12xlarge 2.15424  16xlarge 2.87232  24xlarge 4.30848  48xlarge 8.61696
m8i      large 0.10584  xlarge 0.21168  2xlarge 0.42336  4xlarge 0.84672  8xlarge 1.69344  12xlarge 2.54016
         16xlarge 3.38688  24xlarge 5.08032  32xlarge 6.77376  48xlarge 10.16064  96xlarge 20.32128
c5       large 0.085  xlarge 0.17  2xlarge 0.34  4xlarge 0.68  9xlarge 1.53  12xlarge 2.04  18xlarge 3.06
         24xlarge 4.08
c5a      large 0.077  xlarge 0.154  2xlarge 0.308  4xlarge 0.616  8xlarge 1.232  12xlarge 1.848
         16xlarge 2.464  24xlarge 3.696
c6a      large 0.0765  xlarge 0.153  2xlarge 0.306  4xlarge 0.612  8xlarge 1.224  12xlarge 1.836
         16xlarge 2.448  24xlarge 3.672  32xlarge 4.896  48xlarge 7.344
c6g      medium 0.034  large 0.068  xlarge 0.136  2xlarge 0.272  4xlarge 0.544  8xlarge 1.088  12xlarge 1.632
         16xlarge 2.176
c6i      large 0.085  xlarge 0.17  2xlarge 0.34  4xlarge 0.68  8xlarge 1.36  12xlarge 2.04  16xlarge 2.72
         24xlarge 4.08  32xlarge 5.44
c7a      medium 0.05132  large 0.10264  xlarge 0.20528  2xlarge 0.41056  4xlarge 0.82112  8xlarge 1.64224
         12xlarge 2.46336  16xlarge 3.28448  24xlarge 4.92672  32xlarge 6.56896  48xlarge 9.85344
c7g      medium 0.0363  large 0.0725  xlarge 0.145  2xlarge 0.29  4xlarge 0.58  8xlarge 1.16  12xlarge 1.74
         16xlarge 2.32
c7i      large 0.08925  xlarge 0.1785  2xlarge 0.357  4xlarge 0.714  8xlarge 1.428  12xlarge 2.142
         16xlarge 2.856  24xlarge 4.284  48xlarge 8.568
c7i-flex large 0.08479  xlarge 0.16958  2xlarge 0.33915  4xlarge 0.6783  8xlarge 1.3566  12xlarge 2.0349
         16xlarge 2.7132
c8g      medium 0.03988  large 0.07976  xlarge 0.15952  2xlarge 0.31904  4xlarge 0.63808  8xlarge 1.27616
         12xlarge 1.91424  16xlarge 2.55232  24xlarge 3.82848  48xlarge 7.65696
c8i      large 0.09371  xlarge 0.18742  2xlarge 0.37484  4xlarge 0.74968  8xlarge 1.49936  12xlarge 2.24904
         16xlarge 2.99872  24xlarge 4.49808  32xlarge 5.99744  48xlarge 8.99616  96xlarge 17.99232
r5       large 0.126  xlarge 0.252  2xlarge 0.504  4xlarge 1.008  8xlarge 2.016  12xlarge 3.024
         16xlarge 4.032  24xlarge 6.048
r5a      large 0.113  xlarge 0.226  2xlarge 0.452  4xlarge 0.904  8xlarge 1.808  12xlarge 2.712
         16xlarge 3.616  24xlarge 5.424
r6a      large 0.1134  xlarge 0.2268  2xlarge 0.4536  4xlarge 0.9072  8xlarge 1.8144  12xlarge 2.7216
         16xlarge 3.6288  24xlarge 5.4432  32xlarge 7.2576  48xlarge 10.8864
r6g      medium 0.0504  large 0.1008  xlarge 0.2016  2xlarge 0.4032  4xlarge 0.8064  8xlarge 1.6128
         12xlarge 2.4192  16xlarge 3.2256
r6i      large 0.126  xlarge 0.252  2xlarge 0.504  4xlarge 1.008  8xlarge 2.016  12xlarge 3.024
         16xlarge 4.032  24xlarge 6.048  32xlarge 8.064
r7a      medium 0.07608  large 0.15215  xlarge 0.3043  2xlarge 0.6086  4xlarge 1.2172  8xlarge 2.4344
         12xlarge 3.6516  16xlarge 4.8688  24xlarge 7.3032  32xlarge 9.7376  48xlarge 14.6064
r7g      medium 0.0536  large 0.1071  xlarge 0.2142  2xlarge 0.4284  4xlarge 0.8568  8xlarge 1.7136
         12xlarge 2.5704  16xlarge 3.4272
r7i      large 0.1323  xlarge 0.2646  2xlarge 0.5292  4xlarge 1.0584  8xlarge 2.1168  12xlarge 3.1752
         16xlarge 4.2336  24xlarge 6.3504  48xlarge 12.7008
r8g      medium 0.05891  large 0.11782  xlarge 0.23564  2xlarge 0.47128  4xlarge 0.94256  8xlarge 1.88512
         12xlarge 2.82768  16xlarge 3.77024  24xlarge 5.65536  48xlarge 11.31072
r8i      large 0.13892  xlarge 0.27784  2xlarge 0.55568  4xlarge 1.11136  8xlarge 2.22272  12xlarge 3.33408
         16xlarge 4.44544  24xlarge 6.66816  32xlarge 8.89088  48xlarge 13.33632  96xlarge 26.67264
i3       large 0.156  xlarge 0.312  2xlarge 0.624  4xlarge 1.248  8xlarge 2.496  16xlarge 4.992
i4i      large 0.172  xlarge 0.343  2xlarge 0.686  4xlarge 1.373  8xlarge 2.746  12xlarge 4.118
         16xlarge 5.491  24xlarge 8.2368  32xlarge 10.9824
g4dn     xlarge 0.526  2xlarge 0.752  4xlarge 1.204  8xlarge 2.176  12xlarge 3.912  16xlarge 4.352
g5       xlarge 1.006  2xlarge 1.212  4xlarge 1.624  8xlarge 2.448  12xlarge 5.672  16xlarge 4.096
         24xlarge 8.144  48xlarge 16.288
g6       xlarge 0.8048  2xlarge 0.9776  4xlarge 1.3232  8xlarge 2.0144  12xlarge 4.6016  16xlarge 3.3968
         24xlarge 6.6752  48xlarge 13.3504
`;

/** A line that begins with spaces continues the family above it. */
const instancePrices = (table: string): Record<string, number> => {
  const prices: Record<string, number> = {};
  let family = '';
  for (const line of table.split('\n').filter((one) => one !== '')) {
    const words = line.trim().split(/\s+/);
    if (!line.startsWith(' ')) family = words.shift() ?? '';
    for (let at = 0; at < words.length; at += 2) prices[`${family}.${words[at]}`] = Number(words[at + 1]);
  }
  return prices;
};

const THOUSAND = 1_000;
const MILLION = 1_000_000;

/**
 * Prices of the services that Windlass uses: https://aws.amazon.com/step-functions/pricing/, .../lambda/, .../dynamodb/
 * (on demand), .../api-gateway/ (REST), .../secrets-manager/, .../kms/, .../cloudwatch/, .../xray/, .../eventbridge/,
 * .../guardduty/ (CloudTrail's management events).
 */
const SERVICES: RegionPrices['services'] = {
  transitions: 0.025 / THOUSAND,
  executions: 0,
  invocations: 0.2 / MILLION,
  gigabyteSeconds: 0.0000133334,
  readUnits: 0.125 / MILLION,
  writeUnits: 0.625 / MILLION,
  tableGigabyteMonths: 0.25,
  backupGigabyteMonths: 0.2,
  apiRequests: 3.5 / MILLION,
  secretMonths: 0.4,
  secretRequests: 0.05 / (10 * THOUSAND),
  keyMonths: 1,
  keyRequests: 0.03 / (10 * THOUSAND),
  logGigabytes: 0.5,
  alarmMetricMonths: 0.1,
  metricMonths: 0.3,
  dashboardMonths: 3,
  traces: 5 / MILLION,
  events: 0,
  freeCalls: 0,
  recordedCalls: 4 / MILLION,
};

/**
 * List prices of us-east-1, without volume discounts. AWS published those of gateways, load balancers, addresses and
 * volumes in 2025: https://aws.amazon.com/vpc/pricing/, https://aws.amazon.com/elasticloadbalancing/pricing/,
 * https://aws.amazon.com/ebs/pricing/.
 */
export const LIST_PRICES: PriceList = {
  name: 'AWS list prices',
  date: '2026-07-20',
  regions: {
    'us-east-1': {
      instances: instancePrices(INSTANCES),
      natGateway: 0.045,
      networkLoadBalancer: 0.0225,
      classicLoadBalancer: 0.025,
      publicIpv4: 0.005,
      eksControlPlane: 0.1,
      volumes: {
        gp3: { gibibyte: 0.08, iops: 0.005, includedIops: 3000, throughput: 0.04, includedThroughput: 125 },
        gp2: { gibibyte: 0.1 },
        io1: { gibibyte: 0.125, iops: 0.065 },
        st1: { gibibyte: 0.045 },
        sc1: { gibibyte: 0.015 },
      },
      services: SERVICES,
    },
  },
};
