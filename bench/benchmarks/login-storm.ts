import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { measure } from '../src/load.ts'
import { startBenchPlatform } from '../src/platform.ts'
import { report, rounded } from '../src/report.ts'

// 64 clients log in repeatedly, honour Retry-After, and keep argon2 busy; meanwhile a token holder reads its profile.
// Hashing must not starve the event loop, its thread pool or the connections to Postgres.

const platform = await startBenchPlatform(['accounts'])
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
const emails = await platform.insertUsers(64)
let storming = true
let logins = 0
let refused = 0
const storm = emails.map(async (email, at) => {
  const headers = {
    authorization: `Basic ${Buffer.from(`${email}:${platform.info.demo.password}`).toString('base64')}`,
    // Each from a network of its own, or they would be throttled like one attacker.
    'x-forwarded-for': `10.0.${at}.1`,
  }
  while (storming) {
    const answer = await request(`${platform.accounts.url}/auth`, { method: 'POST', headers })
    await answer.body.dump()
    if (answer.statusCode === 200) logins++
    else refused++
    const wait = Number(answer.headers['retry-after'] ?? 0)
    // Clients are not synchronized.
    if (storming && wait > 0) await pause(wait * 1000 * (1 + Math.random()))
  }
})
const busy = await measure(verify)
storming = false
await Promise.all(storm)
await platform.stop()

const ratio = busy.p99 / idle.p99
report({
  name: 'login storm',
  target: 'during a login storm the p99 of token verification stays under 3 times the idle one',
  met: ratio < 3 && busy.failures === 0,
  rows: [
    { while: 'idle', 'p50 ms': rounded(idle.p50, 2), 'p99 ms': rounded(idle.p99, 2), ratio: 1, logins: 0, refused: 0 },
    {
      while: 'login storm',
      'p50 ms': rounded(busy.p50, 2),
      'p99 ms': rounded(busy.p99, 2),
      ratio: rounded(ratio, 2),
      logins,
      refused,
    },
  ],
})
