import { request } from 'undici'
import { measure } from '../src/load.ts'
import { startPlatform } from '../src/platform.ts'
import { report, rounded } from '../src/verdict.ts'

// 64 logins at a time keep argon2 busy; a token holder meanwhile reads its profile. Hashing must not starve the event loop or its thread pool.

const platform = await startPlatform(['accounts'])
const accessToken = await platform.signIn()
const verify = {
  origin: platform.accounts.url,
  pid: platform.accounts.pid,
  path: '/users/me',
  headers: { authorization: `Bearer ${accessToken}` },
  connections: 2,
  seconds: 6,
}

await measure({ ...verify, seconds: 2 })
const idle = await measure(verify)
let storming = true
let logins = 0
const storm = Array.from({ length: 64 }, async () => {
  while (storming) {
    const answer = await request(`${platform.accounts.url}/auth`, { method: 'POST', headers: { authorization: platform.demoBasic } })
    await answer.body.dump()
    logins++
  }
})
const busy = await measure(verify)
storming = false
await Promise.all(storm)
await platform.stop()

const ratio = busy.p99 / idle.p99
report({
  name: 'login storm',
  target: 'a login storm leaves the p99 of token verification under 3 times the idle one',
  met: ratio < 3 && busy.failures === 0,
  rows: [
    { while: 'idle', 'p50 ms': rounded(idle.p50, 2), 'p99 ms': rounded(idle.p99, 2), ratio: 1, 'logins answered': 0 },
    {
      while: 'login storm',
      'p50 ms': rounded(busy.p50, 2),
      'p99 ms': rounded(busy.p99, 2),
      ratio: rounded(ratio, 2),
      'logins answered': logins,
    },
  ],
})
