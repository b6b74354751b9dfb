import { type Load, type Measured, measure, median } from '../src/load.ts'
import { startBenchPlatform } from '../src/platform.ts'
import { startScript } from '../src/process.ts'
import { report, rounded } from '../src/report.ts'

// GET /users/me with a bearer token, with all features (logs, metrics, activity), compared with a bare Nest-on-Fastify route whose answer is as long.

const platform = await startBenchPlatform(['accounts'])
const bareNest = await startScript('./bare-nest.ts')
const accessToken = await platform.signIn()
const common = { connections: 50, seconds: 4, path: '/users/me' }
const bare: Load = { ...common, origin: bareNest.url, pid: bareNest.pid }
const ours: Load = {
  ...common,
  origin: platform.accounts.url,
  pid: platform.accounts.pid,
  headers: { authorization: `Bearer ${accessToken}` },
}

await measure({ ...bare, seconds: 2 })
await measure({ ...ours, seconds: 2 })
const bareRuns: Measured[] = []
const ourRuns: Measured[] = []
for (let round = 0; round < 3; round++) {
  bareRuns.push(await measure(bare))
  ourRuns.push(await measure(ours))
}
await bareNest.stop()
await platform.stop()

const floor = median(bareRuns)
const measured = median(ourRuns)
const ratio = measured.cpuMicrosPerRequest / floor.cpuMicrosPerRequest
report({
  name: 'users me',
  target: 'GET /users/me uses at most 3 times the CPU of a bare Nest-on-Fastify route',
  met: ratio <= 3 && measured.failures === 0,
  rows: [row('bare Nest on Fastify', floor), row('GET /users/me', measured)],
})

function row(arm: string, run: Measured) {
  return {
    arm,
    'CPU us/request': rounded(run.cpuMicrosPerRequest),
    ratio: rounded(run.cpuMicrosPerRequest / floor.cpuMicrosPerRequest, 2),
    'requests/s': Math.round(run.perSecond),
    'p50 ms': rounded(run.p50, 2),
    'p99 ms': rounded(run.p99, 2),
    failures: run.failures,
  }
}
