import { type Measured, measure, median } from '../src/load.ts'
import { startBenchPlatform } from '../src/platform.ts'
import { report, rounded } from '../src/report.ts'

// POST /auth/token with client credentials: two ES256 signatures, one lookup, one durable insert, one activity record.

const platform = await startBenchPlatform(['accounts'])
const { clientId, clientSecret } = await platform.createClientKey()
const load = {
  origin: platform.accounts.url,
  pid: platform.accounts.pid,
  path: '/auth/token',
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ grantType: 'clientCredentials', clientId, clientSecret }),
  connections: 32,
  seconds: 5,
} as const

await measure({ ...load, seconds: 2 })
const runs: Measured[] = []
for (let round = 0; round < 3; round++) runs.push(await measure(load))
await platform.stop()

const run = median(runs)
// Requests that one fully used core would answer, regardless of other load on this machine.
const perCore = 1e6 / run.cpuMicrosPerRequest
report({
  name: 'token rate',
  target: 'POST /auth/token answers at least 1,000 requests for each second of one core',
  met: perCore >= 1000 && run.failures === 0,
  rows: [
    {
      'requests/s/core': Math.round(perCore),
      'requests/s measured': Math.round(run.perSecond),
      'CPU us/request': rounded(run.cpuMicrosPerRequest),
      'p50 ms': rounded(run.p50, 2),
      'p99 ms': rounded(run.p99, 2),
      failures: run.failures,
    },
  ],
})
